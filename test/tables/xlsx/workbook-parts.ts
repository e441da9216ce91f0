/** Workbooks made part by part, so that each part can be as odd as a test wants it. */
import { writeFile } from 'node:fs/promises';
import { type Content, handMadeZip } from '../hand-made-zip.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export interface WorkbookParts {
  /** What stands inside `<sheetData>`, by the sheet's name. */
  readonly sheets: Readonly<Record<string, string>>;
  /** What follows `</sheetData>` on every sheet. */
  readonly afterRows?: string;
  /** What stands inside `<sst>`. */
  readonly sharedStrings?: string;
  /** What stands inside `<styleSheet>`. */
  readonly styles?: string;
  readonly date1904?: string;
  /** Whether the workbook asks the next program to calculate its formulas. */
  readonly awaitsCalculation?: boolean;
  readonly states?: Readonly<Record<string, string>>;
  /** The prefix of every element, such as `x:`. */
  readonly prefix?: string;
  readonly namespace?: string;
  /** Further parts, or others in place of the usual ones; `null` leaves one out. */
  readonly parts?: Readonly<Record<string, Content | null>>;
  /** The order in the archive; parts that are not named come last. */
  readonly order?: readonly string[];
}

/** The parts by their names in the archive. */
export function partsOf(workbook: WorkbookParts): Readonly<Record<string, Content>> {
  const prefix = workbook.prefix ?? '';
  const namespace = workbook.namespace ?? main;
  const declaration = `xmlns${prefix === '' ? '' : `:${prefix.slice(0, -1)}`}="${namespace}" xmlns:r="${officeRelations}"`;
  const names = Object.keys(workbook.sheets);
  const tag = (name: string, attributes: string, inside: string) =>
    `<${prefix}${name}${attributes === '' ? '' : ` ${attributes}`}>${inside}</${prefix}${name}>`;
  const sheetTags = names
    .map(
      (name, index) =>
        `<${prefix}sheet name="${name}" sheetId="${index + 1}" state="${workbook.states?.[name] ?? 'visible'}" r:id="rel${index + 1}"/>`,
    )
    .join('');
  const relations = names
    .map((_, index) => relation(`rel${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`))
    .join('');
  const parts: Record<string, Content | null> = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relationships(relation('root', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': tag(
      'workbook',
      declaration,
      `<${prefix}workbookPr date1904="${workbook.date1904 ?? 0}"/>${tag('sheets', '', sheetTags)}` +
        (workbook.awaitsCalculation === true ? `<${prefix}calcPr fullCalcOnLoad="1"/>` : ''),
    ),
    'xl/_rels/workbook.xml.rels': relationships(
      relations +
        relation('styles', 'styles', 'styles.xml') +
        relation('strings', 'sharedStrings', 'sharedStrings.xml'),
    ),
    'xl/styles.xml': tag('styleSheet', declaration, workbook.styles ?? ''),
    'xl/sharedStrings.xml': tag('sst', declaration, workbook.sharedStrings ?? ''),
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        tag('worksheet', declaration, tag('sheetData', '', workbook.sheets[name] ?? '') + (workbook.afterRows ?? '')),
      ]),
    ),
    ...workbook.parts,
  };
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, content]) => (content === null ? [] : [[name, content]])),
  );
}

export async function writeParts(
  path: string,
  parts: Readonly<Record<string, Content>>,
  order: readonly string[] = [],
): Promise<void> {
  const rest = Object.keys(parts).filter((name) => !order.includes(name));
  const named = [...order, ...rest].map((name) => ({ name, content: parts[name] ?? '' }));
  await writeFile(path, handMadeZip(named));
}

export function relation(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${officeRelations}/${type}" Target="${target}"/>`;
}

export function relationships(inside: string): string {
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inside}</Relationships>`;
}
