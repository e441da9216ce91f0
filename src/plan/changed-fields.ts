/**
 * Finds the fields that changed since a row was sent, and reports them at their cells. The ledger stores no values, only a short
 * digest of each field. Its one rule: the digests are keyed per row, so they do not reveal equal values in different rows.
 */
import { hash } from 'node:crypto';
import { fieldsOf, isSensitiveName, isWrittenSsn } from '../contract/fields.ts';
import type { Ledger, LogicalRow } from '../ledger/ledger.ts';
import { type Column, originOf } from '../mapping/column.ts';
import { trimmedText } from '../mapping/reading.ts';
import { type Finding, findingOf, findingOfValue } from '../messages/finding.ts';
import { type Message, shownValue } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';
import { oncePerText } from '../once.ts';
import { fieldValues } from '../staging/row-content.ts';
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';
import type { KnownStaged, RowData } from '../staging/staged-row.ts';
import type { StagedColumn } from '../staging/staging.ts';
import type { SheetRow } from '../tables/row.ts';
import type { KeptRow } from './decision.ts';
import type { FormsOf } from './row-digests.ts';

/** Hexadecimal digits of the digest of the path, and of the value. */
const [tagDigits, valueDigits] = [8, 16];

/** A field and its value. A parent field has one form for each way to name the parent. */
interface RowField {
  readonly path: string;
  readonly forms: readonly string[];
}

/** The fields of a row as it is now, to compare with those that were sent. */
export class RowFields {
  readonly #ledger: Pick<Ledger, 'digest'>;
  readonly #data: RowData;
  readonly #parents: readonly RowField[];

  constructor(ledger: Pick<Ledger, 'digest'>, { parents }: KnownStaged, data: RowData, formsOf: FormsOf) {
    this.#ledger = ledger;
    this.#data = data;
    this.#parents = parents.map((parent) => ({ path: parent.fills, forms: formsOf(parent) }));
  }

  /** @param isTyped  without the defaults of blank cells and what cannot be read */
  #all(isTyped = false): readonly RowField[] {
    return [...this.#parents, ...fieldValues(this.#data, isTyped).map(([path, value]) => ({ path, forms: [value] }))];
  }

  digests(content: string): string {
    const digestOf = digesting(this.#ledger, content);
    let digests = '';
    for (const { path, forms } of this.#all()) for (const form of forms) digests += digestOf(path, form);
    return digests;
  }

  /**
   * @param shown  the paths of fields that may have been emptied
   * @returns the paths of the fields that differ, or `null` where the ledger has no digests of them
   */
  changedSince(known: KeptRow, shown: readonly string[]): readonly string[] | null {
    const sent = sentFields(this.#ledger, known);
    if (sent === null) return null;
    const present = this.#all();
    const here = new Set(present.map(({ path }) => path));
    const left = new Map<string, number>();
    const emptied = [...new Set(shown)].filter((path) => {
      if (here.has(path)) return false;
      const { bare } = tagged(path);
      const more = left.get(bare) ?? sent.countAt(path) - [...here].filter((one) => tagged(one).bare === bare).length;
      left.set(bare, more - 1);
      return more > 0;
    });
    const other = present.filter((field) => !sent.has(field));
    return [...new Set([...other.map(({ path }) => path), ...emptied])];
  }

  /** Whether the row has all parents, or at least half of the values, of a row that was sent. True where the ledger has no digests of it. */
  areMostlyOf(known: LogicalRow): boolean {
    const sent = sentFields(this.#ledger, known);
    if (sent === null) return true;
    // Defaults are the same in most rows, so they prove nothing; what cannot be read proves nothing either.
    const present = this.#all(true);
    const hasParents = this.#parents.length > 0 && this.#parents.every(sent.has);
    const same = present.filter(sent.has).length;
    return hasParents || (same > 0 && 2 * same >= present.length);
  }

  /** Whether the row has more than half of the values of a row that was sent. */
  areMoreThanHalfOf(known: LogicalRow): boolean {
    const sent = sentFields(this.#ledger, known);
    const present = this.#all(true);
    return sent !== null && 2 * present.filter(sent.has).length > present.length;
  }

  /**
   * Whether the row gives a field another value than an update gave it.
   *
   * @param paths  the fields to look at; `null` for all
   * @param since  later updates, which have overwritten the fields that they set
   */
  overwrites(update: LogicalRow, paths: readonly string[] | null, since: readonly LogicalRow[]): boolean {
    const [sent, ...later] = [update, ...since].map((one) => sentFields(this.#ledger, one));
    const meant = this.#all().filter(({ path }) => paths === null || paths.includes(path));
    const isSet = ({ path }: RowField) => later.some((one) => one !== null && one.countAt(path) > 0);
    return sent == null || meant.some((field) => sent.countAt(field.path) > 0 && !sent.has(field) && !isSet(field));
  }

  /**
   * Whether the updates of a company account for every changed field of its row. A list is sent as a whole, so an update that names
   * one part of a list sets all of it, and empties the parts that it leaves out.
   *
   * @param updates  the latest first, including those in doubt, whose effect is unknown
   */
  areUpdatedBy(updates: readonly LogicalRow[], changed: readonly string[]): boolean {
    const present = this.#all();
    const paths = present.map(({ path }) => path);
    return changed.every((path) => {
      const [list = path] = path.split('[');
      const parts = paths.filter((one) => one.startsWith(`${list}[`));
      // An update that empties a list names the list, not its parts.
      const whole = list === path || parts.length > 0 ? [path, ...parts] : [list];
      for (const update of updates) {
        const sent = sentFields(this.#ledger, update);
        if (sent === null || ![list, path, ...parts].some((one) => sent.countAt(one) > 0)) continue;
        const isLeftOut = (one: string) => sent.countAt(one) === 0 && parts.length > 0 && !paths.includes(one);
        const isAsHere = (one: string) => isLeftOut(one) || isAsSent(sent, one, present);
        return update.phase === 'committed' && whole.every(isAsHere);
      }
      return false;
    });
  }
}

/** An emptied field was sent as null. */
function isAsSent(sent: SentFields, path: string, present: readonly RowField[]): boolean {
  const here = present.filter((field) => tagged(field.path).bare === tagged(path).bare);
  if (here.length === 0) return sent.has({ path, forms: ['null'] });
  return here.length === sent.countAt(path) && here.every(sent.has);
}

interface SentFields {
  readonly has: (field: RowField) => boolean;
  /** How many values were sent at a path, whatever their index in a list. */
  readonly countAt: (path: string) => number;
}

/** `null` where the ledger has no digests of the fields. */
function sentFields(ledger: Pick<Ledger, 'digest'>, { content, fields }: KeptRow): SentFields | null {
  if (content === null || fields === null) return null;
  const digestOf = digesting(ledger, content);
  const digests: readonly string[] = fields.match(new RegExp(`.{${tagDigits + valueDigits}}`, 'g')) ?? [];
  return {
    has: ({ path, forms }) => forms.some((form) => digests.includes(digestOf(path, form))),
    countAt: (path) => digests.filter((digest) => digest.startsWith(tagged(path).tag)).length,
  };
}

/** The paths of fields that may have been emptied. A masked cell hides a value, so it does not count as empty. */
export function pathsShown({ kind, problems }: RowData, columns: readonly StagedColumn[]): readonly string[] {
  const stars = new Set(problems.flatMap(({ code, label }) => (code === 'masked' ? [label] : [])));
  const hidden = new Set(columns.flatMap(({ path, label }) => (stars.has(label) ? [path] : [])));
  return [...columns, ...fieldsOf(kind)].map(({ path }) => path).filter((path) => !hidden.has(path));
}

/** Sensitive fields have no digest. If no other field differs, the only sensitive field of the sheet must be the changed one. */
export function sensitiveOf(columns: readonly StagedColumn[]): readonly string[] {
  const paths = columns.map(({ path }) => path).filter((path) => isSensitiveName(path.split('.').at(-1) ?? path));
  return paths.length === 1 ? paths : [];
}

/** One keyed digest per row: one per field would take as long as the rest of its intent. */
function digesting(ledger: Pick<Ledger, 'digest'>, content: string): (path: string, form: string) => string {
  const key = ledger.digest(`fields\n${content}`);
  return (path, form) => {
    const { tag, bare } = tagged(path);
    return tag + hash('sha256', `${key}\n${bare}\n${form}`).slice(0, valueDigits);
  };
}

/** When a part of a list is emptied, later parts move up. So the index of a part is not in its digest. */
const tagged = oncePerText((path) => {
  const bare = path.replace(/\[\d+\]/g, '[]');
  return { bare, tag: hash('sha256', bare).slice(0, tagDigits) };
});

/** The earlier values of changed fields by the place of the row (`Deals!12`) and the path; in a list, by the path of the column. */
export type ValuesBefore = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** A row whose fields at these paths changed since it was sent. */
export interface ChangedRow {
  /** Its place now. */
  readonly place: string;
  readonly paths: readonly string[];
}

const unknown: ReadonlyMap<string, string> = new Map();

/** The ledger knows fields by path only. Replaces the paths in the message with labels, and adds a finding at each cell. */
export function changesAtCells(
  sheet: MatchedSheet,
  row: SheetRow,
  message: Message | null,
  valuesBefore = unknown,
): { readonly message: Message | null; readonly atCells: readonly Finding[] } {
  const paths = pathsOf(message);
  if (message === null || paths.length === 0) return { message, atCells: [] };
  const cells = paths.map((path) => {
    const cell = cellOf(sheet, row, path);
    const before = cell.isSensitive ? null : (valuesBefore.get(cell.key) ?? null);
    return { ...cell, before, isReread: before === cell.text };
  });
  const fields = new Set(
    cells.map(({ label, before, isReread }) =>
      before === null ? label : `${label} (${isReread ? 'was read otherwise' : `was ${quoted(before)}`})`,
    ),
  );
  return {
    message: { code: message.code, params: { ...message.params, fields: [...fields] } },
    atCells: cells.map(({ label, column, text, isSensitive, before, isReread }) => {
      const index = column === null ? null : originOf(column);
      if (text === '')
        return findingOf('warning', messageOf('changed-field', { field: label, before }), { column: index, label });
      const subject = { label, sensitive: isSensitive };
      return findingOfValue('warning', index, subject, text, messageOf('changed-value', { before, isReread }));
    }),
  };
}

function quoted(text: string): string {
  return text === '' ? 'blank' : `"${shownValue(text)}"`;
}

export function pathsOf(message: Message | null): readonly string[] {
  return message?.code === 'changed-since-loaded' ? ((message.params.fields ?? []) as readonly string[]) : [];
}

/** The cell that gives a row a field: its text and column, or `null` for a field without one. */
export function cellOf(sheet: MatchedSheet, row: SheetRow, path: string) {
  const textOf = (column: Column) => trimmedText(column.cellOf(row));
  const reference = sheet.kind.references.find(({ fills }) => fills === path)?.column;
  const wanted = new Set([partOfList(path, sheet.columns, textOf), reference]);
  const found = sheet.columns.filter((column) => wanted.has(column.path));
  const column = found.find((one) => textOf(one) !== '') ?? found[0] ?? null;
  const field = fieldsOf(sheet.kind).find((one) => one.path === path || one.path === reference);
  const text = column === null ? '' : textOf(column);
  const isSensitive = column === null ? field?.facts.sensitive === true : column.sensitive || isWrittenSsn(text);
  const label = column === null ? (field?.label ?? path) : column.label;
  return { label, column, text, isSensitive, key: path.includes('[') ? (column?.path ?? path) : path };
}

/**
 * The cells of an earlier row that give a field what was sent. A part of a list may have another index there, so these are the cells
 * of all parts.
 *
 * @param other  the paths of the fields in which the row differs from what was sent
 */
export function earlierCells(sheet: MatchedSheet, row: SheetRow, path: string, other: readonly string[]) {
  const isSame = (one: string) => tagged(one).bare === tagged(path).bare;
  if (other.some(isSame)) return [];
  const parts = sheet.columns.filter((column) => isSame(column.path));
  const ofParts = parts.map((one) => ({
    key: one.path,
    text: trimmedText(one.cellOf(row)),
    isSensitive: one.sensitive,
  }));
  const cells = path.includes('[') ? ofParts : [cellOf(sheet, row, path)];
  return cells.filter(({ text, isSensitive }) => !isSensitive && !isWrittenSsn(text));
}

/** A record omits list parts whose cells are all blank, so later parts have a lower index there. */
function partOfList(path: string, columns: readonly Column[], textOf: (column: Column) => string): string {
  const [, list, part] = /^([^[]*)\[(\d+)\]/.exec(path) ?? [];
  if (list === undefined) return path;
  const partsOf = (some: readonly Column[]) =>
    some.flatMap(({ path: of }) => (of.startsWith(`${list}[`) ? [Number(/\d+/.exec(of.slice(list.length))?.[0])] : []));
  const filled = partsOf(columns.filter((column) => textOf(column) !== ''));
  const inOrder = [...new Set([...filled.sort(byNumber), ...partsOf(columns).sort(byNumber)])];
  return path.replace(`[${part}]`, `[${inOrder[Number(part)] ?? part}]`);
}

const byNumber = (one: number, other: number): number => one - other;
