/**
 * What the records of an answer have in common, learnt record by record: which fields there are, in which order, and what
 * their values look like. What is held grows with the fields, not with the records.
 */
import { copyOf, ExactNumber, isJsonObject, type JsonObject, type JsonValue, textOf } from './exact-json.ts';

/** What a value is by its form; a text is `zoned` with a time zone. */
type ValueKind = 'number' | 'flag' | 'list' | 'records' | TextKind;
type TextKind = 'text' | 'decimal' | 'day' | 'moment' | 'zoned';

export class ValueFacts {
  /** Blank values are of no kind. */
  readonly kinds = new Set<ValueKind>();
  longest = 0;
  longestList = 0;

  add(value: JsonValue): void {
    const text = textOf(value);
    if (text !== null) {
      this.longest = Math.max(this.longest, text.length);
      if (text.trim() !== '') this.kinds.add(value instanceof ExactNumber ? 'number' : kindOfText(text));
    } else if (typeof value === 'boolean') this.kinds.add('flag');
    else if (Array.isArray(value)) {
      if (value.length > 0) this.kinds.add(value.some(isJsonObject) ? 'records' : 'list');
      this.longestList = Math.max(this.longestList, value.length);
    }
  }

  /** Whether there are values, and all of them are of these kinds. */
  areAll = (...kinds: readonly ValueKind[]): boolean =>
    this.kinds.size > 0 && [...this.kinds].every((kind) => kinds.includes(kind));
}

function kindOfText(text: string): TextKind {
  if (plainDecimal.test(text)) return 'decimal';
  if (isoDate.test(text)) return 'day';
  const moment = isoMoment.exec(text);
  if (moment === null) return 'text';
  return moment[3] === undefined ? 'moment' : 'zoned';
}

export const plainDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
export const isoDate = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
export const isoMoment = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;

export class FieldShape {
  readonly name: string | number;
  readonly facts = new ValueFacts();
  /** In the order in which they belong together. */
  readonly fields: FieldShape[] = [];
  /** The items of lists of records, each place by itself, as far as they are unfolded. */
  readonly items: FieldShape[] = [];

  constructor(name: string | number) {
    this.name = name;
  }
}

export const mostItems = 10;
const deepestFields = 6;
const mostFields = 2000;

export class RecordShape {
  readonly root = new FieldShape('');
  records = 0;
  #fields = 0;

  look(record: JsonObject): void {
    this.records += 1;
    this.#lookInto(this.root, record, 0);
  }

  #lookInto({ fields }: FieldShape, record: JsonObject, depth: number): void {
    const placeOf = (name: string) => fields.findIndex((each) => each.name === name);
    let next = 0;
    for (const [name, value] of record) {
      let place = fields[next]?.name === name ? next : placeOf(name);
      if (place === -1) {
        if (this.#fields >= mostFields) continue;
        this.#fields += 1;
        // Beside its neighbours: a record with a field left out does not change the order.
        const behind = next > 0 ? next : [...record.keys()].map(placeOf).find((each) => each !== -1);
        place = behind ?? fields.length;
        fields.splice(place, 0, new FieldShape(copyOf(name)));
      }
      next = place + 1;
      const field = fields[place] as FieldShape;
      if (isJsonObject(value) && depth < deepestFields) this.#lookInto(field, value, depth + 1);
      else field.facts.add(value);
      if (Array.isArray(value) && depth < deepestFields) this.#lookIntoItems(field, value, depth);
    }
  }

  #lookIntoItems({ items }: FieldShape, list: readonly JsonValue[], depth: number): void {
    for (const [index, item] of list.slice(0, mostItems).entries()) {
      if (!isJsonObject(item)) continue;
      while (items.length <= index) items.push(new FieldShape(items.length));
      this.#lookInto(items[index] as FieldShape, item, depth + 1);
    }
  }
}
