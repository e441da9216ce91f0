/** From a company as the service gives it to the cells of an update template. */
import { type Field, fieldsOf, isOpenPath, type PathSegment, pathOf, templateFieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { visibleText } from '../messages/plain-text.ts';
import { longestCell } from '../sheets/excel-limits.ts';
import type { ExportedCompany, UpdateColumn } from '../workbooks/update-template.ts';
import { ExactNumber, isJsonObject, type JsonObject, type JsonValue } from './exact-json.ts';

/** A value that the service shows only in part: it must never go back. */
const maskedValue = /[*•●]{2,}|\b[xX]{3,}(?:-[xX]{2,})*-?\d{2,}|\b[xX]{2,}-[xX]{2,}-?\d{2,}/;
const closedBraces = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** Learns which columns the companies need, and gives each of them as cells. */
export class CompanyCells {
  readonly #kind: RecordKind;
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #needed = new Set<string>();
  /** Paths in braces, and whether all that stands there are numbers. */
  readonly #open = new Map<string, boolean>();

  constructor(kind: RecordKind) {
    this.#kind = kind;
    this.#fields = new Map(fieldsOf(kind).map((field) => [field.path, field]));
  }

  holds(record: JsonObject): boolean {
    return !this.#leavesOf(record).next().done;
  }

  look(record: JsonObject): void {
    for (const { segments, column, isNumber } of this.#leavesOf(record)) {
      const path = pathOf(segments);
      if (column === 'field') this.#needed.add(path);
      else if (column === 'open') this.#open.set(path, isNumber && this.#open.get(path) !== false);
    }
  }

  /** The usual columns of the template, and those that some company has beside them. */
  columns(): readonly UpdateColumn[] {
    const usual = new Set(templateFieldsOf(this.#kind, 'common'));
    const fields = [...this.#fields.values()].filter((field) => usual.has(field) || this.#needed.has(field.path));
    const open = [...this.#open];
    return [
      ...fields.map(({ path, label, required }) => ({ path, header: required ? `${label} *` : label })),
      ...open.map(([path, isNumber]) => ({ path, header: `{${path}${isNumber ? ':number' : ''}}` })),
    ];
  }

  company(id: string, record: JsonObject): Omit<ExportedCompany, 'service' | 'exportedAt'> {
    const values: Record<string, string> = {};
    const locked: string[] = [];
    for (const { segments, text, column } of this.#leavesOf(record)) {
      // What cannot be shown whole is left blank: it could else be sent from a copy of the sheet that has lost its last column.
      const isWhole = column !== null && !maskedValue.test(text) && isShownWhole(text);
      const name = String(segments[0]);
      if (!isWhole && !locked.includes(name)) locked.push(name);
      if (isWhole && text !== '') values[pathOf(segments)] = text;
    }
    return { id, values, locked };
  }

  *#leavesOf(record: JsonObject): Generator<Leaf> {
    for (const name of Object.keys(this.#kind.body.shape)) yield* this.#leaves(record.get(name), [name]);
  }

  *#leaves(value: JsonValue | undefined, segments: readonly PathSegment[]): Generator<Leaf> {
    if (value === undefined || value === null) return;
    const field = this.#fields.get(pathOf(segments));
    if (field !== undefined) {
      const text = textOfField(value);
      yield { segments, text: text ?? '', column: text === null ? null : 'field', isNumber: false };
    } else if (isJsonObject(value)) {
      for (const [name, member] of value) yield* this.#leaves(member, [...segments, name]);
    } else if (Array.isArray(value)) {
      for (const [index, item] of (value as readonly JsonValue[]).entries()) {
        yield* this.#leaves(item, [...segments, index]);
      }
    } else {
      yield this.#openLeaf(value, segments);
    }
  }

  #openLeaf(value: JsonValue, segments: readonly PathSegment[]): Leaf {
    const isNamed = segments.every((segment) =>
      typeof segment === 'number' ? segment < 10 : closedBraces.test(segment),
    );
    const isWritable = typeof value === 'string' || value instanceof ExactNumber;
    const isOpen = isNamed && isWritable && isOpenPath(this.#kind, segments);
    const text = textOfField(value) ?? '';
    return { segments, text, column: isOpen ? 'open' : null, isNumber: value instanceof ExactNumber };
  }
}

/** An end of line may be written in either way; what a terminal obeys, or what no cell has room for, is not written. */
function isShownWhole(text: string): boolean {
  const plain = text.replaceAll('\r\n', '\n');
  return visibleText(plain) === plain && text.length <= longestCell;
}

interface Leaf {
  readonly segments: readonly PathSegment[];
  readonly text: string;
  /** `null`: no column can hold it. */
  readonly column: 'field' | 'open' | null;
  readonly isNumber: boolean;
}

/** A value, or a list of plain ones, as a cell holds it; `null` for what no cell can hold. */
function textOfField(value: JsonValue): string | null {
  if (typeof value === 'string') return value;
  if (value instanceof ExactNumber) return value.digits;
  if (!Array.isArray(value)) return null;
  const items = (value as readonly JsonValue[]).map((item) => (typeof item === 'string' ? item : null));
  return items.includes(null) || items.some((item) => item?.includes(';')) ? null : items.join('; ');
}
