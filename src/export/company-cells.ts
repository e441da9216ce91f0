/** From a company as the service gives it to the cells of an update template. */
import { fieldsOf, isOpenPath, type PathSegment, pathOf, templateFieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { visibleText } from '../messages/plain-text.ts';
import { longestCell } from '../sheets/excel-limits.ts';
import type { ExportedCompany, UpdateColumn } from '../workbooks/update-template.ts';
import { ExactNumber, isJsonObject, type JsonObject, type JsonValue, textOf } from './exact-json.ts';

/** A value that the service shows only in part: it must never go back. */
const maskedValue = /[*•●]{2,}|\b[xX]{3,}(?:-[xX]{2,})*-?\d{2,}|\b[xX]{2,}-[xX]{2,}-?\d{2,}/;
const closedBraces = /^[\p{L}_][\p{L}\p{N}_]*$/u;

export type CompanyCells = ReturnType<typeof companyCells>;

/** Learns which columns the companies need, and gives each of them as cells. */
export function companyCells(kind: RecordKind) {
  const fields = new Map(fieldsOf(kind).map((field) => [field.path, field]));
  const needed = new Set(templateFieldsOf(kind, 'common').map(({ path }) => path));
  /** Paths in braces, and whether all that stands there are numbers. */
  const open = new Map<string, boolean>();

  function* leavesOf(record: JsonObject): Generator<Leaf> {
    for (const name of Object.keys(kind.body.shape)) yield* leavesAt(record.get(name), [name]);
  }

  function* leavesAt(value: JsonValue | undefined, segments: readonly PathSegment[]): Generator<Leaf> {
    if (value === undefined || value === null) return;
    const [path, isField] = [pathOf(segments), fields.has(pathOf(segments))];
    if (isField || !(isJsonObject(value) || Array.isArray(value))) {
      const text = isField || isOpen(value, segments) ? textOfField(value) : null;
      yield { path, name: String(segments[0]), text, isField, isNumber: value instanceof ExactNumber };
      return;
    }
    const members = value.entries() as Iterable<[PathSegment, JsonValue]>;
    for (const [name, member] of members) yield* leavesAt(member, [...segments, name]);
  }

  function isOpen(value: JsonValue, segments: readonly PathSegment[]): boolean {
    const isNamed = (each: PathSegment) => (typeof each === 'number' ? each < 10 : closedBraces.test(each));
    const isWritable = typeof value === 'string' || value instanceof ExactNumber;
    return isWritable && segments.every(isNamed) && isOpenPath(kind, segments);
  }

  return {
    holds: (record: JsonObject): boolean => !leavesOf(record).next().done,
    look: (record: JsonObject): void => {
      for (const { path, text, isField, isNumber } of leavesOf(record)) {
        if (text !== null && isField) needed.add(path);
        else if (text !== null) open.set(path, isNumber && open.get(path) !== false);
      }
    },
    /** The usual columns of the template, and those that some company has beside them. */
    columns: (): readonly UpdateColumn[] => {
      const shown = [...fields.values()].filter(({ path }) => needed.has(path));
      return [
        ...shown.map(({ path, label, required }) => ({ path, header: required ? `${label} *` : label })),
        ...Array.from(open, ([path, isNumber]) => ({ path, header: `{${path}${isNumber ? ':number' : ''}}` })),
      ];
    },
    company: (id: string, record: JsonObject): Omit<ExportedCompany, 'service' | 'exportedAt'> => {
      const values: Record<string, string> = {};
      const locked = new Set<string>();
      for (const { path, name, text } of leavesOf(record)) {
        // What cannot be shown whole is left blank: it could else be sent from a copy of the sheet that has lost its last column.
        if (text === null || maskedValue.test(text) || !isShownWhole(text)) locked.add(name);
        else if (text !== '') values[path] = text;
      }
      return { id, values, locked: [...locked] };
    },
  };
}

/** An end of line may be written in either way; what a terminal obeys, or what no cell has room for, is not written. */
function isShownWhole(text: string): boolean {
  const plain = text.replaceAll('\r\n', '\n');
  return visibleText(plain) === plain && text.length <= longestCell;
}

interface Leaf {
  readonly path: string;
  /** The field of the body that it stands in. */
  readonly name: string;
  /** `null`: no column can hold it. */
  readonly text: string | null;
  readonly isField: boolean;
  readonly isNumber: boolean;
}

/** A value, or a list of plain ones, as a cell holds it; `null` for what no cell can hold. */
function textOfField(value: JsonValue): string | null {
  if (!Array.isArray(value)) return textOf(value);
  return value.every((item) => typeof item === 'string' && !item.includes(';')) ? value.join('; ') : null;
}
