/**
 * What the records of an answer have in common, learnt record by record: which fields there are, in which order, and what
 * their values look like. What is held grows with the fields, not with the records.
 */
import { ExactNumber, isJsonObject, type JsonObject, type JsonValue } from './exact-json.ts';

/** A digit, a sign, a currency mark or a bracket: what begins otherwise is neither a number nor a day. */
const beginningsOfNumbers = '0123456789-$(';

/** What the values of one field have looked like. */
export class ValueFacts {
  numbers = 0;
  /** Numbers without a fraction. */
  integers = 0;
  mostDecimals = 0;
  mostDigits = 0;
  mostWholeDigits = 0;
  largest = 0;
  booleans = 0;
  texts = 0;
  emptyTexts = 0;
  /** Texts that are plain decimal numbers, or amounts with a sign and thousands marks. */
  numericTexts = 0;
  formattedAmounts = 0;
  percentTexts = 0;
  dates = 0;
  moments = 0;
  /** Moments with a time zone, and those at midnight. */
  zonedMoments = 0;
  midnights = 0;
  longestText = 0;
  /** Lists of records, lists of plain values, and the length of the longest. */
  recordLists = 0;
  plainLists = 0;
  longestList = 0;

  add(value: JsonValue): void {
    if (value === null) return;
    if (value instanceof ExactNumber) this.#addNumber(value.digits);
    else if (typeof value === 'string') this.#addText(value);
    else if (typeof value === 'boolean') this.booleans += 1;
    else if (Array.isArray(value)) this.#addList(value as readonly JsonValue[]);
  }

  #addNumber(digits: string): void {
    this.numbers += 1;
    this.#measure(digits);
  }

  #measure(digits: string): void {
    const point = digits.indexOf('.');
    if (point === -1) {
      if (!digits.includes('e') && !digits.includes('E')) this.integers += 1;
    } else {
      this.mostDecimals = Math.max(this.mostDecimals, digits.length - point - 1);
    }
    this.mostDigits = Math.max(this.mostDigits, digits.length - (point === -1 ? 0 : 1));
    this.mostWholeDigits = Math.max(this.mostWholeDigits, point === -1 ? digits.length : point);
    this.largest = Math.max(this.largest, Math.abs(Number(digits)));
  }

  #addText(text: string): void {
    this.texts += 1;
    if (text.length > this.longestText) this.longestText = text.length;
    if (text.trim() === '') {
      this.emptyTexts += 1;
      return;
    }
    if (!beginningsOfNumbers.includes(text.charAt(0))) return;
    if (plainDecimal.test(text)) {
      this.numericTexts += 1;
      this.#measure(text);
    } else if (isoDate.test(text)) this.dates += 1;
    else if (isoMoment.test(text)) this.#addMoment(text);
    else if (formattedAmount.test(text)) this.formattedAmounts += 1;
    else if (percentText.test(text)) this.percentTexts += 1;
  }

  #addMoment(text: string): void {
    this.moments += 1;
    const [, , time, zone] = isoMoment.exec(text) ?? [];
    if (zone !== undefined) this.zonedMoments += 1;
    if (/^00:00(:00)?$/.test(time ?? '')) this.midnights += 1;
  }

  #addList(list: readonly JsonValue[]): void {
    if (list.some(isJsonObject)) this.recordLists += 1;
    else if (list.length > 0) this.plainLists += 1;
    this.longestList = Math.max(this.longestList, list.length);
  }
}

export const plainDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** `$1,250.00`, `1,250.00`, `-$3.50`, `($3.50)` */
export const formattedAmount = /^(?:-?\$?|\()\$?\d{1,3}(?:,\d{3})*\.\d{2}\)?$/;
export const percentText = /^-?\d+(?:\.\d+)? ?%$/;
export const isoDate = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
export const isoMoment = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;

/** A field, or an object of fields. */
export class FieldShape {
  readonly name: string | number;
  readonly facts = new ValueFacts();
  /** In the order in which they belong together. */
  readonly fields: FieldShape[] = [];
  /** The items of lists of records, each place by itself, as far as they are unfolded. */
  readonly items: FieldShape[] = [];
  readonly #byName = new Map<string, FieldShape>();

  constructor(name: string | number) {
    this.name = name;
  }

  field(name: string): FieldShape | undefined {
    return this.#byName.get(name);
  }

  /** A new field takes its place beside its neighbours, so that a record with a field left out does not change the order. */
  place(name: string, before: FieldShape | null, namesAfter: Iterable<string>): FieldShape {
    // The name is copied: it would else hold on to the piece of the answer that it was cut from.
    const owned = Buffer.from(name).toString();
    const shape = new FieldShape(owned);
    this.#byName.set(owned, shape);
    let index = before === null ? -1 : this.fields.indexOf(before) + 1;
    if (before === null) {
      for (const next of namesAfter) {
        const known = this.#byName.get(next);
        if (known === undefined || known === shape) continue;
        index = this.fields.indexOf(known);
        break;
      }
    }
    this.fields.splice(index === -1 ? this.fields.length : index, 0, shape);
    return shape;
  }
}

/** How many items of a list of records are looked into. */
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

  #lookInto(shape: FieldShape, record: JsonObject, depth: number): void {
    let before: FieldShape | null = null;
    for (const [name, value] of record) {
      let field = shape.field(name);
      if (field === undefined) {
        if (this.#fields >= mostFields) continue;
        this.#fields += 1;
        field = shape.place(name, before, record.keys());
      }
      if (isJsonObject(value) && depth < deepestFields) this.#lookInto(field, value, depth + 1);
      else field.facts.add(value);
      if (Array.isArray(value)) this.#lookIntoItems(field, value as readonly JsonValue[], depth);
      before = field;
    }
  }

  #lookIntoItems(field: FieldShape, list: readonly JsonValue[], depth: number): void {
    if (depth >= deepestFields) return;
    for (let index = 0; index < Math.min(list.length, mostItems); index += 1) {
      const item = list[index];
      if (!isJsonObject(item)) continue;
      while (field.items.length <= index) field.items.push(new FieldShape(field.items.length));
      const shape = field.items[index];
      if (shape !== undefined) this.#lookInto(shape, item, depth + 1);
    }
  }
}
