/** What a person says that the rows of a file are: of all of its sheets, or of one by its name. */
import { type RecordKindName, recordKindNames } from '../../contract/record-kind.ts';
import { DealsheetError } from '../../errors.ts';
import { headerName } from '../../mapping/mapping-file/foreign-headers.ts';

export interface SaidKinds {
  /** Of every sheet that is not named, or `null`. */
  readonly ofAll: RecordKindName | null;
  /** By the name of the sheet. */
  readonly ofSheet: ReadonlyMap<string, RecordKindName>;
}

/**
 * @param texts  each `KIND` or `SHEET=KIND`
 * @throws DealsheetError `usage` for what is no kind, or when two things are said of one sheet
 */
export function saidKinds(texts: readonly string[]): SaidKinds {
  let ofAll: RecordKindName | null = null;
  const ofSheet = new Map<string, RecordKindName>();
  const named = new Set<string>();
  for (const text of texts) {
    const [, sheet, written = ''] = /^(?:(.*)=)?([^=]*)$/s.exec(text) ?? [];
    const kind = kindNamed(written.trim());
    if (sheet === undefined) {
      if (ofAll !== null) throw saidTwice('of all sheets');
      ofAll = kind;
    } else {
      const name = sheet.trim();
      if (name === '') throw withoutSheet(text);
      if (named.has(headerName(name))) throw saidTwice(`of the sheet "${name}"`);
      named.add(headerName(name));
      ofSheet.set(name, kind);
    }
  }
  return { ofAll, ofSheet };
}

function kindNamed(text: string): RecordKindName {
  const kind = recordKindNames.find((name) => name === text);
  if (kind !== undefined) return kind;
  throw new DealsheetError(
    'usage',
    `"${text}" is nothing that rows can be: --as wants one of ${recordKindNames.join(', ')}.`,
    'Give one of them, or SHEET=KIND for one sheet among several.',
  );
}

function withoutSheet(text: string): DealsheetError {
  return new DealsheetError(
    'usage',
    `"${text}" names no sheet in front of the equals sign.`,
    'Give SHEET=KIND for one sheet, or KIND alone for all of them.',
  );
}

function saidTwice(what: string): DealsheetError {
  return new DealsheetError(
    'usage',
    `What the rows are is said twice ${what}.`,
    'Keep one --as for all sheets, and one for each sheet that is of another kind (--as SHEET=KIND).',
  );
}
