/**
 * What the records of an answer have in common, learnt record by record: which fields there are, in which order, and what
 * their values look like. What is held grows with the fields, not with the records.
 */
import { copyOf, ExactNumber, isJsonObject, type JsonObject, type JsonValue } from './exact-json.ts';

/** A digit, a sign, a currency mark or a bracket: what begins otherwise is neither a number nor a day. */
const beginningsOfNumbers = '0123456789-$(';

/** What the values of one field have looked like. */
export class ValueFacts {
  numbers = 0;
  mostDecimals = 0;
  mostDigits = 0;
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
  /** Moments with a time zone. */
  zonedMoments = 0;
  longestText = 0;
  /** Lists of records, lists of plain values, and the length of the longest. */
  recordLists = 0;
  plainLists = 0;
  longestList = 0;

  add(value: JsonValue): void {
    if (value instanceof ExactNumber) {
      this.numbers += 1;
      this.#measure(value.digits);
    } else if (typeof value === 'string') this.#addText(value);
    else if (typeof value === 'boolean') this.booleans += 1;
    else if (Array.isArray(value)) {
      if (value.some(isJsonObject)) this.recordLists += 1;
      else if (value.length > 0) this.plainLists += 1;
      this.longestList = Math.max(this.longestList, value.length);
    }
  }

  get holdsValues(): boolean {
    return this.numbers + this.texts + this.booleans + this.plainLists > 0;
  }

  #measure(digits: string): void {
    const point = digits.search(/[.e]/i);
    if (point !== -1) this.mostDecimals = Math.max(this.mostDecimals, digits.length - point - 1);
    this.mostDigits = Math.max(this.mostDigits, digits.length - (point === -1 ? 0 : 1));
    this.largest = Math.max(this.largest, Math.abs(Number(digits)));
  }

  #addText(text: string): void {
    this.texts += 1;
    this.longestText = Math.max(this.longestText, text.length);
    if (text.trim() === '') this.emptyTexts += 1;
    if (!beginningsOfNumbers.includes(text.charAt(0))) return;
    if (plainDecimal.test(text)) {
      this.numericTexts += 1;
      this.#measure(text);
    } else if (isoDate.test(text)) this.dates += 1;
    else if (isoMoment.test(text)) {
      this.moments += 1;
      if (/(?:Z|[+-]\d\d:?\d\d)$/.test(text)) this.zonedMoments += 1;
    } else if (formattedAmount.test(text)) this.formattedAmounts += 1;
    else if (percentText.test(text)) this.percentTexts += 1;
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

  constructor(name: string | number) {
    this.name = name;
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
