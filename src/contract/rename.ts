/**
 * The names that a service uses for the fields of a kind, where they differ from the documented ones. Applied last, to the finished
 * body, so that refs, checks, formats and masks only see documented names. No value ever replaces another.
 */

import { randomUUID } from 'node:crypto';
import Big from 'big.js';
import { oncePer } from '../once.ts';
import { pathOf, type Segment, segmentsOf } from './body-path.ts';
import { fieldsOf } from './fields.ts';
import type { RecordKind } from './record-kind.ts';

/** `"company.phones[].number": "merchant.telephones[]"`, `"dealId": "opportunity.id:number"`, or `null` to omit a field. */
export type Names = Readonly<Record<string, string | null>>;

type Json = Readonly<Record<string, unknown>>;

interface Rule {
  readonly from: readonly string[];
  readonly to: readonly string[] | null;
  readonly type: string;
}

/** `MM/DD/YYYY`, `DD.MM.YYYY`, `YYYYMMDD`, `YYYY-MM-DDT00:00:00Z`: each part exactly once. `unix` is midnight since 1970. */
const dayForm = '(?:unix(?:-ms)?|(?=[^Y]*YYYY[^Y]*$)(?=[^M]*MM[^M]*$)(?=[^D]*DD[^D]*$)[^\\s()]{8,40})';
export const dateForm = new RegExp(`^${dayForm}$`);

/** `opportunity.id:number`, `renewal:boolean(Y|N)`, `funded:date(MM/DD/YYYY)`, `cents:times(100)`, `deal:text(/deals/{})`, `phase:words(Lead=1|Application=2)` */
export const targetPattern = new RegExp(
  `^[^:\\s]+(?::(?:number|times\\((?=.*[1-9])\\d+(?:\\.\\d+)?\\)|text(?:\\([^\\s{}]*\\{\\}[^\\s{}]*\\))?|${[
    'boolean(?:\\([^()|\\s]+\\|[^()|\\s]+\\))?',
    'words\\([^()=|]+=[^()=|]+(?:\\|[^()=|]+=[^()=|]+)*\\)',
    `date(?:\\(${dayForm}\\))?`,
  ].join('|')}))?$`,
);

const rulesOf = oncePer((names: Names): readonly Rule[] =>
  Object.entries(names).map(([path, target]) => {
    const [to, type] = parted(target ?? '');
    return { from: segmentsOf(path).map(String), to: target === null ? null : segmentsOf(to).map(String), type };
  }),
);

export class PlaceTaken extends Error {
  override readonly name = 'PlaceTaken';
  /** The documented path of the value that could not be placed. */
  readonly path: string;

  constructor(path: string) {
    super(`The place of ${path} is taken.`);
    this.path = path;
  }
}

/** Returns the body unchanged when nothing is renamed. @throws PlaceTaken from the returned function */
export function renamer(names: Names, constants: Json): (body: Json) => Json {
  const rules = rulesOf(names);
  const fixed = Object.entries(constants);
  if (rules.length === 0 && fixed.length === 0) return (body) => body;
  return (body) => {
    const renamed: Record<string, unknown> = {};
    for (const [segments, value] of leavesOf(body, [])) {
      for (const { to, type } of targetsOf(rules, segments, value))
        if (!set(renamed, to, typed(value, type))) throw new PlaceTaken(pathOf(segments));
    }
    for (const [path, value] of fixed) if (!set(renamed, segmentsOf(path), value)) throw new PlaceTaken(path);
    return compacted(renamed) as Json;
  };
}

/** The reverse: converts the service's names to the documented ones. Other members stay unchanged. */
export const documentedBy = oncePer((names: Names): ((body: Json) => Json) => {
  const back = Object.entries(names).flatMap(([path, target]) => {
    const [to, type] = parted(target ?? '');
    return target === null ? [] : [[to, `${path}:read-${type}`] as const];
  });
  const rules = rulesOf(Object.fromEntries(back));
  return (body) => {
    if (rules.length === 0) return body;
    const [taken, documented]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
    const put = (into: Record<string, unknown>, [segments, value]: Leaf): boolean =>
      targetsOf(rules, segments, value).every(({ to, type }) => set(into, to, typed(value, type)));
    const leaves = leavesOf(body, []);
    const named = new Set(leaves.filter(([segments]) => ruleFor(segments, rules) !== null));
    for (const leaf of named) put(taken, leaf);
    // A member that has a documented name only by coincidence gives way.
    for (const leaf of leaves) if (named.has(leaf) || put(taken, leaf)) put(documented, leaf);
    return compacted(documented) as Json;
  };
});

/** Adds the wire form of days: to each `:date` without a form of its own, and to every other date field of the kind. */
export function withDayForm(kind: RecordKind, names: Names, form: string): Names {
  const given = Object.entries(names).map(([path, to]) => [path, to?.replace(/:date$/, `:date(${form})`) ?? null]);
  const own: Names = Object.fromEntries(given);
  if (form === ownForm) return own;
  const days = fieldsOf(kind).flatMap(({ path, format, place }) => {
    const isPlain = place === 'body' && format === 'date' && !own[path]?.includes(':');
    const there = isPlain ? wirePathOf(path, own) : null;
    return there === null ? [] : [[path, `${there}:date(${form})`]];
  });
  return { ...own, ...Object.fromEntries(days) };
}

export function placesIn(body: unknown): ReadonlyMap<string, unknown> {
  return new Map(leavesOf(body, []).map(([segments, value]) => [pathOf(segments), value]));
}

export function divided(body: Json, paths: readonly string[]): { readonly at: Json; readonly rest: Json } {
  const rules = paths.map((path): Rule => ({ from: segmentsOf(path).map(String), to: null, type: '' }));
  const [at, rest]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const [segments, value] of leavesOf(body, []))
    set(ruleFor(segments, rules) === null ? rest : at, segments, value);
  return { at, rest };
}

/** The service's path of a documented one: `merchant.telephones[0]` for `company.phones[0].number`; `null` for an omitted field. */
export function wirePathOf(path: string, names: Names): string | null {
  const segments = segmentsOf(path);
  const rule = ruleFor(segments, rulesOf(names));
  if (rule === null) return path;
  return rule.to === null ? null : pathOf(targetOf(rule, rule.to, segments));
}

function targetsOf(
  rules: readonly Rule[],
  segments: readonly Segment[],
  value: unknown,
): readonly { readonly to: readonly Segment[]; readonly type: string }[] {
  const rule = ruleFor(segments, rules);
  if (rule !== null) return rule.to === null ? [] : [{ to: targetOf(rule, rule.to, segments), type: rule.type }];
  const wholes = value === null || Array.isArray(value) ? wholesOf(rules, segments) : [];
  return (wholes.length > 0 ? wholes : [segments]).map((to) => ({ to, type: '' }));
}

/** The targets of an empty or cleared list, derived from the names of its parts. */
function wholesOf(rules: readonly Rule[], segments: readonly Segment[]): readonly (readonly Segment[])[] {
  const depth = segments.length;
  const wholes = rules.flatMap((rule): (readonly Segment[])[] => {
    const { from, to } = rule;
    if (to === null || !/^(?:\[\]|\d+)$/.test(from[depth] ?? '') || !begins(from.slice(0, depth), segments)) return [];
    const lists = from.slice(0, depth).filter((name) => name === '[]').length;
    const end = to.flatMap((name, at) => (name === '[]' ? [at] : []))[lists] ?? to.length;
    return [targetOf({ ...rule, from: from.slice(0, depth) }, to.slice(0, end), segments)];
  });
  return [...new Map(wholes.map((whole) => [pathOf(whole), whole])).values()];
}

function ruleFor(segments: readonly Segment[], rules: readonly Rule[]): Rule | null {
  let best: Rule | null = null;
  for (const rule of rules) {
    if (begins(rule.from, segments) && (best === null || rule.from.length >= best.from.length)) best = rule;
  }
  return best;
}

function begins(from: readonly string[], segments: readonly Segment[]): boolean {
  return (
    from.length <= segments.length &&
    from.every((name, at) => name === String(segments[at]) || (name === '[]' && typeof segments[at] === 'number'))
  );
}

/** The n-th `[]` of the target gets the index of the n-th `[]` in the documented path. */
function targetOf({ from }: Rule, to: readonly string[], segments: readonly Segment[]): readonly Segment[] {
  const places = from.flatMap((name, at) => (name === '[]' ? [segments[at] as Segment] : []));
  let used = 0;
  const target = to.map((name): Segment => {
    if (name === '[]') return places[used++] ?? 0;
    return /^\d+$/.test(name) ? Number(name) : name;
  });
  return [...target, ...segments.slice(from.length)];
}

/** Splits a target into path and type. A type may contain colons. */
function parted(target: string): readonly [path: string, type: string] {
  const [, path = '', type = ''] = /^([^:]*):?(.*)$/.exec(target) ?? [];
  return [path, type];
}

type Leaf = readonly [place: readonly Segment[], value: unknown];

function leavesOf(value: unknown, segments: readonly Segment[]): readonly Leaf[] {
  const parts = partsOf(value);
  if (parts.length === 0) return segments.length === 0 ? [] : [[segments, value]];
  return parts.flatMap(([name, held]) => leavesOf(held, [...segments, name]));
}

function partsOf(value: unknown): readonly (readonly [Segment, unknown])[] {
  if (Array.isArray(value)) return [...value.entries()];
  if (value instanceof Map) return [...(value as ReadonlyMap<string, unknown>)];
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? Object.entries(value) : [];
}

function set(body: Record<string, unknown>, segments: readonly Segment[], value: unknown): boolean {
  let parent = body as Record<Segment, unknown>;
  for (const [at, segment] of segments.slice(0, -1).entries()) {
    const held = Object.hasOwn(parent, segment) ? parent[segment] : undefined;
    if (held !== undefined && (typeof held !== 'object' || held === null)) return false;
    const next = held ?? (typeof segments[at + 1] === 'number' ? [] : {});
    define(parent, segment, next);
    parent = next as Record<Segment, unknown>;
  }
  const last = segments.at(-1) ?? '';
  if (Object.hasOwn(parent, last)) return parent[last] === value;
  define(parent, last, value);
  return true;
}

/** A plain assignment would lose a field named `__proto__`. */
function define(parent: object, name: Segment, value: unknown): void {
  Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true });
}

function compacted(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((part) => part !== undefined).map(compacted);
  for (const [name, held] of partsOf(value)) define(value as object, name, compacted(held));
  return value;
}

/** Converts a value when nothing is lost; otherwise returns it unchanged. */
function typed(value: unknown, type: string): unknown {
  if (type === '') return value;
  const [, way = '', form = ''] = /^([a-z-]+)(?:\((.*)\))?$/.exec(type) ?? [];
  const isGroup = value === null || Array.isArray(value) || value?.toString === Object.prototype.toString;
  // A number of an export is an object that prints as its digits.
  const text = isGroup ? '' : String(value);
  return ways[way]?.(text, form) ?? value;
}

/** Each returns `undefined` for a value that it cannot convert. */
const ways: Readonly<Record<string, (text: string, form: string) => unknown>> = {
  text: (text, form) => (text === '' ? undefined : form.replace('{}', () => text) || text),
  'read-text': (text, form) => unframed(text, form),
  number: (text) => (plainNumber.test(text) ? numberOf(text) : undefined),
  times: (text, form) => (anyNumber.test(text) ? numberOf(new Big(text).times(form).toFixed()) : undefined),
  'read-times': (text, form) => (anyNumber.test(text) ? exactly(new Big(text).div(form).toFixed()) : undefined),
  boolean: truthOf,
  words: (text, form) => wordIn(text, form, 0),
  'read-words': (text, form) => wordIn(text, form, 1),
  date: writtenDay,
  'read-date': readDay,
};

function unframed(text: string, form: string): string | undefined {
  const [before = '', after = ''] = form.split('{}');
  const isFramed = form !== '' && text.length > form.length - 2 && text.startsWith(before) && text.endsWith(after);
  return isFramed ? text.slice(before.length, text.length - after.length) : undefined;
}

/** The other half of the only pair with the word in the given half. */
function wordIn(text: string, form: string, half: 0 | 1): unknown {
  const pairs = form.split('|').map((pair) => pair.split('='));
  const [only, other] = pairs.filter((pair) => pair[half] === text);
  const word = other === undefined ? only?.[1 - half] : undefined;
  return word === undefined || half === 1 ? word : typed(word, 'number');
}

/** @param form  other words for yes and no, such as `Y|N` */
function truthOf(text: string, form: string): unknown {
  const truth = truths[text.toLowerCase()];
  return truth === undefined || form === '' ? truth : typed(form.split('|')[truth ? 0 : 1], 'number');
}
const truths: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, y: true, '1': true },
  ...{ false: false, no: false, n: false, '0': false },
};

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

function writtenDay(text: string, form: string): unknown {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (form === '' || year === undefined || month === undefined || day === undefined) return undefined;
  if (form.startsWith('unix')) return Date.parse(text) / (form === 'unix' ? 1000 : 1);
  return form.replace('YYYY', year).replace('MM', month).replace('DD', day);
}

function readDay(text: string, form: string): string | undefined {
  if (form.startsWith('unix')) {
    const at = /^-?\d{1,12}(?:000)?$/.test(text) ? new Date(Number(text) * (form === 'unix' ? 1000 : 1)) : null;
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
