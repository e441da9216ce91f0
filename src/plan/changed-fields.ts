/**
 * Finds the fields that changed since a row was sent, and reports them at their cells. The ledger stores no values, only a short
 * digest of each field. Its one rule: the digests are keyed per row, so they do not reveal equal values in different rows.
 */
import { hash } from 'node:crypto';
import { fieldsOf as fieldsIn, fieldsOf, isSensitiveName, looksSensitive } from '../contract/fields.ts';
import type { Ledger, LogicalRow } from '../ledger/ledger.ts';
import { type Column, isSensitiveColumn, labelOfColumn, originOf, pathOfColumn } from '../mapping/column.ts';
import { trimmedText } from '../mapping/reading.ts';
import { type Finding, findingOf, findingOfValue } from '../messages/finding.ts';
import { type Message, shortened } from '../messages/message.ts';
import { planMessage } from '../messages/plan.ts';
import type { SheetRow } from '../sheets/row.ts';
import { fieldValues } from '../staging/row-content.ts';
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';
import type { KnownStaged, RowData } from '../staging/staged-row.ts';
import type { StagedColumn } from '../staging/staging.ts';
import type { FormsOf } from './row-digests.ts';

/** Hexadecimal digits of the digest of the path, and of the value. */
const [tagDigits, valueDigits] = [8, 16];

/** A field and its value. A parent field has one form for each way to name the parent. */
interface RowField {
  readonly path: string;
  readonly forms: readonly string[];
}

type Digests = Pick<Ledger, 'digest'>;

export function fieldDigests(
  ledger: Digests,
  content: string,
  row: KnownStaged,
  data: RowData,
  formsOf: FormsOf,
): string {
  const digestOf = digesting(ledger, content);
  let digests = '';
  for (const { path, forms } of rowFieldsOf(row, data, formsOf))
    for (const form of forms) digests += digestOf(path, form);
  return digests;
}

/**
 * @param shown  the paths of fields that may have been emptied
 * @returns the paths of the fields that differ, or `null` where the ledger has no digests of them
 */
export function changedFields(
  ledger: Digests,
  { content, fields }: LogicalRow,
  row: KnownStaged,
  data: RowData,
  formsOf: FormsOf,
  shown: readonly string[],
): readonly string[] | null {
  if (content === null || fields === null) return null;
  const present = rowFieldsOf(row, data, formsOf);
  const digestOf = digesting(ledger, content);
  const sent = digestsIn(fields);
  const other = present.filter(({ path, forms }) => !forms.some((form) => sent.includes(digestOf(path, form))));
  const here = new Map(present.map(({ path }) => [path, tagged(path).tag]));
  const partsOf = (tags: Iterable<string>, tag: string) => [...tags].filter((one) => one.startsWith(tag)).length;
  const gone = new Map<string, number>();
  const paths = [...new Set(shown)];
  const emptied = paths.filter((path) => {
    const tag = tagged(path).tag;
    const left = gone.get(tag) ?? partsOf(sent, tag) - partsOf(here.values(), tag);
    const isEmptied = !here.has(path) && left > 0;
    gone.set(tag, isEmptied ? left - 1 : left);
    return isEmptied;
  });
  return [...new Set([...other.map(({ path }) => path), ...emptied])];
}

/** Whether the row has all parents, or at least half of the values, of a row that was sent. True where the ledger has no digests of it. */
export function isMostlyAs(
  ledger: Digests,
  { content, fields }: LogicalRow,
  row: KnownStaged,
  data: RowData,
  formsOf: FormsOf,
): boolean {
  if (content === null || fields === null) return true;
  // Defaults are the same in most rows, so they prove nothing.
  const present = rowFieldsOf(row, data, formsOf, true);
  const digestOf = digesting(ledger, content);
  const sent = new Set(digestsIn(fields));
  const isSame = ({ path, forms }: RowField) => forms.some((form) => sent.has(digestOf(path, form)));
  const named = present.slice(0, row.parents.length);
  return (named.length > 0 && named.every(isSame)) || 2 * present.filter(isSame).length >= present.length;
}

/**
 * Whether the updates of a company account for every changed field of its row. A list is sent as a whole, so an update that names
 * one part of a list sets all of it, and empties the parts that it leaves out.
 *
 * @param updates  the latest first, including those in doubt, whose effect is unknown
 */
export function isUpdatedBy(
  updates: readonly LogicalRow[],
  changed: readonly string[],
  ledger: Digests,
  row: KnownStaged,
  data: RowData,
  formsOf: FormsOf,
): boolean {
  const present = rowFieldsOf(row, data, formsOf).map(({ path }) => path);
  return changed.every((path) => {
    const [list = path] = path.split('[');
    const parts = present.filter((one) => one.startsWith(`${list}[`));
    // An update that empties a list names the list, not its parts.
    const whole = list === path || parts.length > 0 ? [path, ...parts] : [list];
    for (const update of updates) {
      const isIn = (one: string) => isAsUpdated(ledger, update, row, data, formsOf, one);
      const isNamed = [list, path, ...parts].some((one) => isIn(one) !== null);
      const isAsHere = (one: string) => isIn(one) ?? (parts.length > 0 && !present.includes(one));
      if (isNamed) return update.phase === 'committed' && whole.every(isAsHere);
    }
    return false;
  });
}

/** `null` where the update does not contain the field. An emptied field was sent as null. */
function isAsUpdated(
  ledger: Digests,
  { content, fields }: LogicalRow,
  row: KnownStaged,
  data: RowData,
  formsOf: FormsOf,
  path: string,
): boolean | null {
  if (content === null || fields === null) return null;
  const digestOf = digesting(ledger, content);
  const sent = digestsIn(fields).filter((digest) => digest.startsWith(tagged(path).tag));
  if (sent.length === 0) return null;
  const here = rowFieldsOf(row, data, formsOf).filter((field) => tagged(field.path).tag === tagged(path).tag);
  if (here.length === 0) return sent.includes(digestOf(path, 'null'));
  const isSent = (field: RowField) => field.forms.some((form) => sent.includes(digestOf(field.path, form)));
  return here.length === sent.length && here.every(isSent);
}

/** The paths of fields that may have been emptied. A masked cell hides a value, so it does not count as empty. */
export function pathsShown({ kind, problems }: RowData, columns: readonly StagedColumn[]): readonly string[] {
  const stars = new Set(problems.flatMap(({ code, label }) => (code === 'masked' ? [label] : [])));
  const hidden = new Set(columns.flatMap(({ path, label }) => (stars.has(label) ? [path] : [])));
  return [...columns, ...fieldsIn(kind)].map(({ path }) => path).filter((path) => !hidden.has(path));
}

/** Sensitive fields have no digest. If no other field differs, the only sensitive field of the sheet must be the changed one. */
export function sensitiveOf(columns: readonly StagedColumn[]): readonly string[] {
  const paths = columns.map(({ path }) => path).filter((path) => isSensitiveName(path.split('.').at(-1) ?? path));
  return paths.length === 1 ? paths : [];
}

function digestsIn(fields: string): readonly string[] {
  return fields.match(new RegExp(`.{${tagDigits + valueDigits}}`, 'g')) ?? [];
}

function rowFieldsOf({ parents }: KnownStaged, data: RowData, formsOf: FormsOf, isTyped = false): readonly RowField[] {
  const named = parents.map((parent) => ({ path: parent.fills, forms: formsOf(parent) }));
  return [...named, ...fieldValues(data, isTyped).map(([path, value]) => ({ path, forms: [value] }))];
}

/** One keyed digest per row: one per field would take as long as the rest of its intent. */
function digesting(ledger: Digests, content: string): (path: string, form: string) => string {
  const key = ledger.digest(`fields\n${content}`);
  return (path, form) => {
    const { tag, bare } = tagged(path);
    return tag + hash('sha256', `${key}\n${bare}\n${form}`).slice(0, valueDigits);
  };
}

const known = new Map<string, { readonly bare: string; readonly tag: string }>();
const mostKnown = 1_000;

/** When a part of a list is emptied, later parts move up. So the index of a part is not in its digest. */
function tagged(path: string) {
  const before = known.get(path);
  if (before !== undefined) return before;
  const bare = path.replace(/\[\d+\]/g, '[]');
  const made = { bare, tag: hash('sha256', bare).slice(0, tagDigits) };
  if (known.size < mostKnown) known.set(path, made);
  return made;
}

export interface CellOfField {
  readonly label: string;
  readonly column: Column | null;
  readonly text: string;
  readonly isSensitive: boolean;
}

/** The earlier values of changed fields, where they are known, by the place of the row (`Deals!12`) and the path. */
export type ValuesBefore = ReadonlyMap<string, ReadonlyMap<string, string>>;

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
    return { ...cell, before: cell.isSensitive ? null : (valuesBefore.get(path) ?? null) };
  });
  const fields = new Set(
    cells.map(({ label, before }) => (before === null ? label : `${label} (was ${quoted(before)})`)),
  );
  return {
    message: { code: message.code, params: { ...message.params, fields: [...fields] } },
    atCells: cells.map(({ label, column, text, isSensitive, before }) => {
      const index = column === null ? null : originOf(column);
      if (text === '')
        return findingOf('warning', planMessage('changed-field', { field: label, before }), { column: index, label });
      const subject = { label, sensitive: isSensitive };
      return findingOfValue('warning', index, subject, text, planMessage('changed-value', { before }));
    }),
  };
}

function quoted(text: string): string {
  return text === '' ? 'blank' : `"${shortened(text)}"`;
}

export function pathsOf(message: Message | null): readonly string[] {
  return message?.code === 'changed-since-loaded' ? ((message.params.fields ?? []) as readonly string[]) : [];
}

export function cellOf(sheet: MatchedSheet, row: SheetRow, path: string): CellOfField {
  const textOf = (column: Column) => trimmedText(column.cellOf(row));
  const reference = sheet.kind.references.find(({ fills }) => fills === path)?.column;
  const wanted = new Set([partOfList(path, sheet.columns, textOf), reference]);
  const found = sheet.columns.filter((column) => wanted.has(pathOfColumn(column)));
  const column = found.find((one) => textOf(one) !== '') ?? found[0] ?? null;
  const field = fieldsOf(sheet.kind).find((one) => one.path === path || one.path === reference);
  const text = column === null ? '' : textOf(column);
  const isSensitive =
    column === null ? field?.facts.sensitive === true : isSensitiveColumn(column) || looksSensitive(text);
  const label = column === null ? (field?.label ?? path) : labelOfColumn(column);
  return { label, column, text, isSensitive };
}

/** A record omits list parts whose cells are all blank, so later parts have a lower index there. */
function partOfList(path: string, columns: readonly Column[], textOf: (column: Column) => string): string {
  const [, list, part] = /^([^[]*)\[(\d+)\]/.exec(path) ?? [];
  if (list === undefined) return path;
  const partsOf = (some: readonly Column[]) =>
    some.flatMap((column) => {
      const of = pathOfColumn(column);
      return of.startsWith(`${list}[`) ? [Number(/\d+/.exec(of.slice(list.length))?.[0])] : [];
    });
  const filled = partsOf(columns.filter((column) => textOf(column) !== ''));
  const inOrder = [...new Set([...filled.sort(byNumber), ...partsOf(columns).sort(byNumber)])];
  return path.replace(`[${part}]`, `[${inOrder[Number(part)] ?? part}]`);
}

const byNumber = (one: number, other: number): number => one - other;
