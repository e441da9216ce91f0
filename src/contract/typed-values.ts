/** The types that a rename gives values: numbers, texts, truths in other words, days in other forms. Our own days are `2026-06-30`. */
import { randomUUID } from 'node:crypto';

/** A value of which nothing would be lost; any other goes out as it is. */
export function typed(value: unknown, type: string): unknown {
  if (type === 'text') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (type === 'number') return typeof value === 'string' && plainNumber.test(value) ? numberOf(value) : value;
  const [, way, form = ''] = /^([a-z-]+)(?:\((.*)\))?$/.exec(type) ?? [];
  if (way === 'boolean') return truthOf(value, form);
  if (form === '' || (typeof value !== 'string' && typeof value !== 'number')) return value;
  return way === 'date' ? writtenDay(String(value), form) : readDay(String(value), form);
}

/** @param form  other words for yes and no, such as `Y|N` */
function truthOf(value: unknown, form: string): unknown {
  const truth = truths[String(value).toLowerCase()];
  if (truth === undefined || form === '') return truth ?? value;
  return typed(form.split('|')[truth ? 0 : 1], 'number');
}
const truths: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, y: true, '1': true },
  ...{ false: false, no: false, n: false, '0': false },
};

const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const mostExactDigits = 15;

/** A whole number of more digits than a number holds exactly, such as an id, goes out digit by digit. */
function numberOf(text: string): unknown {
  if (text.replace(/\D/g, '').length <= mostExactDigits) return Number(text);
  return text.includes('.') ? text : new LongNumber(text);
}

/** No text of a sheet holds it: it is made anew each time that the program runs. */
const mark = `${randomUUID()}:`;

class LongNumber {
  readonly #digits: string;

  constructor(digits: string) {
    this.#digits = digits;
  }

  toJSON(): string {
    return mark + this.#digits;
  }

  toString(): string {
    return this.#digits;
  }
}

/** The JSON of a value that may hold long numbers. */
export function jsonOf(value: unknown): string {
  const json = JSON.stringify(value);
  return json.includes(mark) ? json.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1') : json;
}

export const ownForm = 'YYYY-MM-DD';

/** `MM/DD/YYYY`, `DD.MM.YYYY`, `YYYYMMDD`, `YYYY-MM-DDT00:00:00Z`: each part once. */
export const dateForm = /^(?=[^Y]*YYYY[^Y]*$)(?=[^M]*MM[^M]*$)(?=[^D]*DD[^D]*$)[^\s()]{8,40}$/;

function writtenDay(text: string, form: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return text;
  return form.replace('YYYY', year).replace('MM', month).replace('DD', day);
}

function readDay(text: string, form: string): string {
  const pattern = form
    .replace(/[^\w]/g, '\\$&')
    .replace('YYYY', '(?<year>\\d{4})')
    .replace('MM', '(?<month>\\d\\d)')
    .replace('DD', '(?<day>\\d\\d)');
  const { year, month, day } = new RegExp(`^${pattern}$`).exec(text)?.groups ?? {};
  return year === undefined ? text : `${year}-${month}-${day}`;
}
