/** `dealsheet map FILE`: drafts how to read another party's file, and reports what is sure and what is open. */
import { readFileSync } from 'node:fs';
import { type RecordKind, recordKindNames } from '../../contract/record-kind.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { ownerOnly } from '../../disk/new-file.ts';
import { needWritable, writeWhole } from '../../disk/output-guard.ts';
import { folded } from '../../mapping/headers.ts';
import { headerName } from '../../mapping/mapping-file/mapped-sheet.ts';
import type { Mapping, SheetMappingRules } from '../../mapping/mapping-file/mapping.ts';
import { readMapping } from '../../mapping/mapping-file/read-mapping.ts';
import { shownHeader } from '../../mapping/marks.ts';
import { namesWithCommas, shellWord } from '../../messages/commands.ts';
import { errorOf } from '../../messages/text.ts';
import {
  columnQuestions,
  type Draft,
  type DraftOptions,
  openValues,
  rulesBefore,
} from '../../staging/draft-mapping.ts';
import { command, positional, standardInputWord } from '../command.ts';
import { counted } from '../formats.ts';
import { delimiterOf, ignored } from '../load-command.ts';

const usualName = 'mapping.json';

export const mapCommand = command({
  examples: [
    ['dealsheet map broker.xlsx -o broker.json', 'draft it, and see what is still open in it'],
    ['dealsheet check broker.xlsx --mapping broker.json', 'see whether everything fits'],
    ['dealsheet import broker.xlsx --mapping broker.json --profile live', 'load it, this month and the next'],
    ['dealsheet map july.xlsx --mapping broker.json -o july.json', 'the same where headers have changed'],
  ],
  positionals: { file: positional('The CSV or XLSX file to map') },
  flags: ['output', 'yes', 'sheet', 'mapping', 'ignore-sheets', 'encoding', 'delimiter'],
  own: {
    output: { describe: 'Where to write the mapping; without it, the mapping is printed' },
    mapping: { describe: 'The mapping of another month: what it decides stays, and the rest is drafted' },
    as: {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: `What the rows are, if sheet name and headers do not show it: ${recordKindNames.join(', ')}; SHEET=KIND for one sheet, may be repeated`,
    },
  },
  takesDashAt: ['output'],
  run: async (flags, terminal) => {
    const output = flags.output === standardInputWord ? undefined : flags.output;
    const { draftMapping } = await import('../../staging/draft-mapping.ts');
    const options: DraftOptions = {
      file: flags.file,
      ...saidKinds(flags.as ?? []),
      sheet: flags.sheet ?? null,
      ignoredSheets: ignored(flags.ignoreSheets),
      encoding: flags.encoding ?? null,
      delimiter: delimiterOf(flags.delimiter),
      before: flags.mapping === undefined ? null : readMapping(flags.mapping).mapping,
    };
    const draft = await draftMapping(options);
    if (draft.mapping.sheets.length === 0) {
      throw errorOf('kinds-unknown', { sheets: draft.unknown, kinds: recordKindNames });
    }
    if (output === undefined) terminal.print(textOf(draft).trimEnd());
    else {
      // An earlier draft is replaced only by the same one, as a person may have decided something in it.
      const isEarlier = (there: string) => readFileSync(there, 'utf8') === textOf(draft);
      await needWritable({ path: output, flag: '-o', kept: [], what: 'copy of this draft', isEarlier });
      // The draft contains some values of the file, so only its owner may read it.
      writeWhole(output, textOf(draft), { mode: ownerOnly });
    }
    terminal.say(draftText(draft, options, output));
  },
});

function textOf({ mapping }: Pick<Draft, 'mapping'>): string {
  return `${JSON.stringify(mapping, null, 2)}\n`;
}

/**
 * The kind for all sheets, and the kinds of named sheets.
 *
 * @param texts  each `KIND` or `SHEET=KIND`
 */
function saidKinds(texts: readonly string[]): Pick<DraftOptions, 'kind' | 'kinds'> {
  let kindOfAll: RecordKind | null = null;
  const kinds = new Map<string, RecordKind>();
  const named = new Set<string>();
  for (const text of texts) {
    const [, sheet = null, written = ''] = /^(?:(.*)=)?([^=]*)$/s.exec(text) ?? [];
    const kind = recordKindNames.find((name) => name === written.trim());
    const name = headerName(sheet?.trim() ?? '');
    if (kind === undefined || sheet?.trim() === '' || named.has(name))
      throw errorOf('kind-unclear', { as: text, kinds: recordKindNames });
    named.add(name);
    if (sheet === null) kindOfAll = recordKind(kind);
    else kinds.set(sheet.trim(), recordKind(kind));
  }
  return { kind: kindOfAll, kinds };
}

/** What was recognized, what is still open, and the next commands. */
function draftText(
  { mapping, unknown }: Draft,
  { file, sheet, kind, kinds, before }: DraftOptions,
  output: string | undefined,
): string {
  const { sheets, ignoreSheets = [] } = mapping;
  const isKindSaid = kind !== null || kinds.size > 0;
  const named = output ?? usualName;
  const files = `${shellWord(file)} --mapping ${shellWord(named)}${sheet === null ? '' : ` --sheet ${shellWord(sheet)}`}`;
  const nameOf = (place: number, header: string) => nameIn(sheets[place] ?? {}, shownHeader(header));
  const columns = columnQuestions(mapping).map(({ sheet: at, header, suggestions }) => {
    const near = suggestions.map(({ field }) => field).join(' or ');
    return `${nameOf(at, header)}${near === '' ? '' : ` (perhaps ${near})`}`;
  });
  const [values, taken]: [string[], Set<string>] = [[], new Set()];
  for (const { sheet: at, header, from, field } of openValues(mapping)) {
    values.push(`${nameOf(at, header)} "${from}"`);
    if (field?.choices) taken.add(`${field.label} takes ${field.choices.join(', ')}`);
  }
  const sure = sheets.flatMap((one) => sureLines(one, before));
  const open = (lines: readonly string[], what: string) =>
    block(`${counted(lines.length, what)} ${lines.length === 1 ? 'is' : 'are'} open:`, lines);
  return [
    ...sheets.map((one) => `${one.sheet ?? 'The file'} is read as ${one.kind}.`),
    ...(!isKindSaid
      ? ['If its rows are something else, draft into another file with --as KIND, or --as SHEET=KIND.']
      : []),
    ...ignoreSheets.map((name) => `${name} is left out.`),
    ...unknown.map(
      (name) =>
        `${name} is not in the draft: neither its name nor its headers tell what its rows are. Draft into another file with --as ${shellWord(`${name}=KIND`)}, or with --ignore-sheets ${shellWord(namesWithCommas([name]))} to leave it out.`,
    ),
    ...(!isKindSaid || unknown.length > 0 ? [`KIND is one of ${recordKindNames.join(', ')}.`] : []),
    ...block('Taken as sure:', sure),
    ...(columns.length === 0 ? ['No column is open.'] : open(columns, 'column')),
    ...open(values, 'value'),
    ...(columns.length === 0
      ? []
      : [
          `In ${named}, give each open column its "field", or write null in place of the braces to leave the column out. The headers of a template name the fields: dealsheet template ${[...new Set(sheets.map(({ kind }) => kind))].join(' ')}`,
          `To split a column, such as a whole name, write the suggestion with + as its "field", and draft again: dealsheet map ${files} -o NEW.json. docs/mapping.md has other splits. The page shows all choices: dealsheet open ${shellWord(file)}`,
        ]),
    ...(values.length === 0
      ? []
      : block(
          `In ${named}, replace the null of each open value with one that its field takes, or with "" for a blank.`,
          [...taken],
        )),
    ...(output === undefined ? [`The draft is not saved yet. Add -o ${usualName} to write it to a file.`] : []),
    `See whether it fits with: dealsheet check ${files}`,
    `Then load it with: dealsheet import ${files} --profile NAME`,
  ].join('\n');
}

function block(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function nameIn({ sheet }: Pick<SheetMappingRules, 'sheet'>, header: string): string {
  return `${sheet === undefined ? '' : `${sheet}: `}${header}`;
}

/** What the draft took by itself, without what the person decided before. */
function sureLines(sheet: SheetMappingRules, before: Mapping | null): readonly string[] {
  const earlier = rulesBefore(before, sheet.sheet ?? '');
  const decided = new Set(earlier?.kind === sheet.kind ? Object.keys(earlier.columns).map(headerName) : []);
  return Object.entries(sheet.columns).flatMap(([header, rule]) => {
    if (decided.has(headerName(header))) return [];
    const name = nameIn(sheet, `"${shownHeader(header)}"`);
    if (typeof rule === 'object' && rule?.split !== undefined)
      return [`${name} is split into ${rule.split.fields.join(' and ')}`];
    const field = typeof rule === 'string' ? rule : rule?.field;
    return field == null || folded(field) === folded(header) ? [] : [`${name} is ${field}`];
  });
}
