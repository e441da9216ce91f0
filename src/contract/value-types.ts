/** The types that may follow a name in a profile (`cents:times(100)`): how a value is written to the service, and read back. */
import { randomUUID } from 'node:crypto';
import Big from 'big.js';

/** Converts a value when nothing is lost; otherwise returns it unchanged. */
export type Conversion = (value: unknown) => unknown;
/** Gives `undefined` for a text that it cannot convert. */
type Way = (text: string, form: string) => unknown;

const formOf = (pattern: string) => `\\((?:${pattern})\\)`;
const optional = (form: string) => `(?:${form})?`;
/** `MM/DD/YYYY`, `YYYYMMDD`, `YYYY-MM-DDT00:00:00Z`: each part exactly once. `unix` is midnight since 1970: `/Date(unix-ms)/`. */
const dayForm =
  '(?:\\S{0,20}[^\\w\\s-])?unix(?:-ms)?(?:[^\\w\\s-]\\S{0,20})?|(?=[^Y]*YYYY[^Y]*$)(?=[^M]*MM[^M]*$)(?=[^D]*DD[^D]*$)[^\\s()]{8,40}';
export const dateForm = new RegExp(`^(?:${dayForm})$`);
/** No word twice: the second would never be sent. */
const pairsForm = '(?!(?:.*\\|)?([^=|]+)=.*\\|\\1=)[^()=|]+=[^()=|]+(?:\\|[^()=|]+=[^()=|]+)*';

/** Each with the pattern of its form, in parentheses after its name. */
const types: Readonly<Record<string, readonly [form: string, write: Way, read: Way]>> = {
  number: ['', (text) => (plainNumber.test(text) ? numberOf(text) : undefined), () => undefined],
  times: [
    formOf('(?=.*[1-9])\\d+(?:\\.\\d+)?'),
    (text, form) => (anyNumber.test(text) ? numberOf(new Big(text).times(form).toFixed()) : undefined),
    dividedBy,
  ],
  text: [
    optional(formOf('[^\\s{}]*\\{\\}[^\\s{}]*')),
    (text, form) => (text === '' ? undefined : form.replace('{}', () => text) || text),
    unframed,
  ],
  boolean: [
    optional(formOf('[^()|\\s]+\\|[^()|\\s]+')),
    (text, form) => {
      const truth = truths.get(text.toLowerCase());
      return truth === undefined || form === '' ? truth : codeOf(String(truth), truthsOf(form));
    },
    (text, form) => (form === '' ? undefined : wordOf(text, truthsOf(form))),
  ],
  words: [formOf(pairsForm), (text, form) => codeOf(text, pairsOf(form)), (text, form) => wordOf(text, pairsOf(form))],
  date: [optional(formOf(dayForm)), writtenDay, readDay],
};

/** A quotient that the form does not turn back into exactly the same number, such as a third, is no value of ours. */
function dividedBy(text: string, form: string): number | string | undefined {
  const quotient = anyNumber.test(text) ? new Big(text).div(form) : null;
  return quotient?.times(form).eq(text) ? exactly(quotient.toFixed()) : undefined;
}

/** `opportunity.id:number`, `renewal:boolean(Y|N)`, `funded:date(MM/DD/YYYY)`, `deal:text(/deals/{})`, `phase:words(Lead=1|Application=2)` */
const typed = Object.entries(types).map(([name, [form]]) => name + form);
export const targetPattern = new RegExp(`^[^:\\s](?:[^:]*[^:\\s])?(?::(?:${typed.join('|')}))?$`);

/** @param type  `times(100)`; empty for no type */
export function conversionOf(type: string, way: 'write' | 'read'): Conversion {
  const [, name = '', form = ''] = /^([a-z]+)(?:\((.*)\))?$/.exec(type) ?? [];
  const convert = types[name]?.[way === 'write' ? 1 : 2];
  if (convert === undefined) return (value) => value;
  return (value) => {
    // A number of an export is an object that prints as its digits.
    const isGroup = value === null || Array.isArray(value) || value?.toString === Object.prototype.toString;
    return convert(isGroup ? '' : allDigitsOf(value), form) ?? value;
  };
}

/** A value as text, and of a number all digits: `0.0000001`, where JavaScript writes `1e-7`. */
export function allDigitsOf(value: unknown): string {
  return typeof value === 'number' && Number.isFinite(value) ? new Big(value).toFixed() : String(value);
}

function unframed(text: string, form: string): string | undefined {
  const [before = '', after = ''] = form.split('{}');
  const isFramed = form !== '' && text.length > form.length - 2 && text.startsWith(before) && text.endsWith(after);
  return isFramed ? text.slice(before.length, text.length - after.length) : undefined;
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', '0'].map((word) => [word, false] as const),
]);

type Pairs = readonly (readonly string[])[];

function pairsOf(form: string): Pairs {
  return form.split('|').map((pair) => pair.split('='));
}

function truthsOf(form: string): Pairs {
  return form.split('|').map((code, at) => [at === 0 ? 'true' : 'false', code]);
}

function codeOf(text: string, pairs: Pairs): unknown {
  const code = pairs.find(([word]) => word === text)?.[1];
  return code !== undefined && plainNumber.test(code) ? numberOf(code) : code;
}

function wordOf(text: string, pairs: Pairs): unknown {
  const isIts = (code = '') =>
    code === text || (plainNumber.test(code) && anyNumber.test(text) && new Big(code).eq(text));
  const [only, other] = pairs.filter(([, code]) => isIts(code));
  const word = other === undefined ? only?.[0] : undefined;
  return word === 'true' || word === 'false' ? word === 'true' : word;
}

const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** Also as JSON writes it: `1.5E7`. */
const anyNumber = /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i;
const mostExactDigits = 15;

/** An integer with more digits than a number holds exactly, such as an id, is sent digit by digit. */
function numberOf(text: string): unknown {
  const exact = exactly(text);
  return typeof exact === 'string' && !text.includes('.') ? mark + text : exact;
}

/** The digits as text where a number would lose some. */
function exactly(digits: string): number | string {
  return digits.replace(/\D/g, '').length <= mostExactDigits ? Number(digits) : digits;
}

/** Prefix of a long number's digits. It is random for each process, so no text of a sheet contains it. */
const mark = `${randomUUID()}:`;

/** The JSON of a value that may contain long numbers. */
export function jsonOf(value: unknown): string {
  const json = JSON.stringify(value);
  return json.includes(mark) ? json.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1') : json;
}

/** The same for a form, where each part is text. */
export function withoutLongNumbers<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value).replaceAll(mark, '')) as Value;
}

export const ownForm = 'YYYY-MM-DD';

const epoch = /unix(?:-ms)?/;

function writtenDay(text: string, form: string): unknown {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (form === '' || year === undefined || month === undefined || day === undefined) return undefined;
  const [unit] = epoch.exec(form) ?? [];
  const since = Date.parse(text) / (unit === 'unix' ? 1000 : 1);
  if (unit !== undefined) return form === unit ? since : form.replace(unit, String(since));
  return form.replace('YYYY', year).replace('MM', month).replace('DD', day);
}

function readDay(text: string, form: string): string | undefined {
  const [unit] = epoch.exec(form) ?? [];
  if (unit !== undefined) {
    const since = unframed(text, form.replace(unit, '{}')) ?? '';
    const at = /^-?\d{1,12}(?:000)?$/.test(since) ? new Date(Number(since) * (unit === 'unix' ? 1000 : 1)) : null;
    return /^(\d{4}-\d\d-\d\d)T00:00:00\.000Z$/.exec(at?.toJSON() ?? '')?.[1];
  }
  const pattern = form
    .replace(/[^\w]/g, '\\$&')
    .replace('YYYY', '(?<year>\\d{4})')
    .replace('MM', '(?<month>\\d\\d)')
    .replace('DD', '(?<day>\\d\\d)');
  const { year, month, day } = new RegExp(`^${pattern}$`).exec(text)?.groups ?? {};
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}
