/** Converts a company from the service to the cells of an update template. */
import { pathOf, type Segment } from '../contract/body-path.ts';
import { fieldsOf, isOpenPath, templateFieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { visibleText } from '../messages/plain-text.ts';
import { longestCell } from '../tables/excel-limits.ts';
import type { UpdateColumn } from '../workbooks/update-template.ts';
import { ExactNumber, isJsonObject, type JsonObject, type JsonValue, textOf } from './exact-json.ts';

/** A value that the service shows only partially. It must never be sent back. */
const maskedValue = /[*•●]{2,}|\b[xX]{3,}(?:-[xX]{2,})*-?\d{2,}|\b[xX]{2,}-[xX]{2,}-?\d{2,}/;
const closedBraces = /^[\p{L}_][\p{L}\p{N}_]*$/u;

export type CompanyCells = ReturnType<typeof companyCells>;

/** Learns which columns the companies need, and converts each company to cells. */
export function companyCells(kind: RecordKind) {
  const fields = new Map(fieldsOf(kind).map((field) => [field.path, field]));
  // Each company has its id, so no row needs a Ref.
  const byId = templateFieldsOf(kind, 'common').filter(({ path }) =>
    kind.references.every((one) => one.column !== path),
  );
  const needed = new Set(byId.map(({ path }) => path));
  /** Paths in braces, and whether all their values are numbers. */
  const open = new Map<string, boolean>();
  let hidden = 0;

  function* leavesOf(record: JsonObject): Generator<Leaf> {
    for (const name of Object.keys(kind.body.shape)) yield* leavesAt(record.get(name), [name]);
  }

  function* leavesAt(value: JsonValue | undefined, segments: readonly Segment[]): Generator<Leaf> {
    if (value === undefined || value === null) return;
    const [path, isField] = [pathOf(segments), fields.has(pathOf(segments))];
    if (isField || !(isJsonObject(value) || Array.isArray(value))) {
      const text = isField || isOpen(value, segments) ? textOfField(value) : null;
      yield { path, name: String(segments[0]), text, isField, isNumber: value instanceof ExactNumber };
      return;
    }
    const members = value.entries() as Iterable<[Segment, JsonValue]>;
    for (const [name, member] of members) yield* leavesAt(member, [...segments, name]);
  }

  function isOpen(value: JsonValue, segments: readonly Segment[]): boolean {
    const isNamed = (each: Segment) => (typeof each === 'number' ? each < 10 : closedBraces.test(each));
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
    /** The usual columns of the template, and any others that a company has. */
    columns: (): readonly UpdateColumn[] => {
      const shown = [...fields.values()].filter(({ path }) => needed.has(path));
      return [
        ...shown.map(({ path, label, required }) => ({ path, header: required ? `${label} *` : label })),
        ...Array.from(open, ([path, isNumber]) => ({ path, header: `{${path}${isNumber ? ':number' : ''}}` })),
      ];
    },
    /** How many values of the companies so far are not in their cells. */
    hidden: () => hidden,
    company: (id: string, record: JsonObject) => {
      const values: Record<string, string> = {};
      const locked: string[] = [];
      for (const { path, name, text } of leavesOf(record)) {
        // A value that cannot be shown whole stays blank. A copy of the sheet that lost its last column could otherwise send it.
        if (text === null || maskedValue.test(text) || !isShownWhole(text)) locked.push(name);
        else if (text !== '') values[path] = text;
      }
      hidden += locked.length;
      return { id, values, locked: [...new Set(locked)] };
    },
  };
}

/** Line ends may differ. Control characters, half a character, and texts too long for a cell, cannot be shown. */
function isShownWhole(text: string): boolean {
  const plain = text.replaceAll('\r\n', '\n');
  return visibleText(plain) === plain && !/\p{Surrogate}/u.test(text) && text.length <= longestCell;
}

interface Leaf {
  readonly path: string;
  /** The body field that contains it. */
  readonly name: string;
  /** `null` when no column can hold it. */
  readonly text: string | null;
  readonly isField: boolean;
  readonly isNumber: boolean;
}

/** A value, or a list of plain values, as a cell holds it; `null` when no cell can. */
function textOfField(value: JsonValue): string | null {
  if (!Array.isArray(value)) return textOf(value);
  return value.every((item) => typeof item === 'string' && !item.includes(';')) ? value.join('; ') : null;
}
