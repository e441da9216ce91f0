/**
 * The names that a service gives the fields of a kind, where they differ from the documented ones. They are applied last, on the
 * finished body, so that refs, checks, formats and masks know the documented names alone.
 */
import { LongNumber } from './long-number.ts';

/** `"company.phones[].number": "merchant.telephones[]"`, `"dealId": "opportunity.id:number"`, or `null` to leave a field out. */
export type Names = Readonly<Record<string, string | null>>;

type Json = Readonly<Record<string, unknown>>;
type Segment = string | number;

interface Rule {
  /** Names of the documented path; `[]` for any part of a list. */
  readonly from: readonly string[];
  readonly to: readonly string[] | null;
  readonly type: string | null;
}

/** `opportunity.id:number`, `renewal:boolean`, `renewal:boolean(Y|N)` */
export const targetPattern = /^[^:\s]+(?::(?:number|text|boolean(?:\([^()|\s]+\|[^()|\s]+\))?))?$/;

/** Makes the function that renames the bodies of a kind; it gives a body back as it is when nothing is renamed. */
export function renamer(names: Names, constants: Json): (body: Json) => Json {
  const rules = rulesOf(names);
  const fixed = Object.entries(constants);
  if (rules.length === 0 && fixed.length === 0) return (body) => body;
  return (body) => {
    const renamed: Record<string, unknown> = {};
    for (const [segments, value] of leavesOf(body, [])) put(renamed, rules, segments, value);
    for (const [path, value] of fixed) set(renamed, segmentsOf(path), value);
    return compacted(renamed) as Json;
  };
}

/** The other way round: from a body with the names of the service to the documented ones. Other members stay as they are. */
export function documentedBy(names: Names): (body: Json) => Json {
  const known = documentedNames.get(names);
  if (known !== undefined) return known;
  const back = Object.entries(names).flatMap(([path, target]) =>
    target === null ? [] : [[target.replace(/:.*$/, ''), path] as const],
  );
  const rename = renamer(Object.fromEntries(back), {});
  documentedNames.set(names, rename);
  return rename;
}
const documentedNames = new WeakMap<Names, (body: Json) => Json>();

/** Where the service has a documented path: `company.phones[0].number` to `merchant.telephones[0]`; `null` for a field that is left out. */
export function wirePathOf(path: string, names: Names): string | null {
  const segments = segmentsOf(path);
  const rule = ruleFor(segments, rulesOf(names));
  if (rule === null) return path;
  return rule.to === null ? null : pathOf(targetOf(rule, rule.to, segments));
}

function put(
  body: Record<string, unknown>,
  rules: readonly Rule[],
  segments: readonly Segment[],
  value: unknown,
): void {
  const rule = ruleFor(segments, rules);
  if (rule === null) set(body, segments, value);
  else if (rule.to !== null) set(body, targetOf(rule, rule.to, segments), typed(value, rule.type));
}

/** The longest rule that the path begins with. */
function ruleFor(segments: readonly Segment[], rules: readonly Rule[]): Rule | null {
  let best: Rule | null = null;
  for (const rule of rules) {
    const fits =
      rule.from.length <= segments.length &&
      rule.from.every(
        (name, place) => name === String(segments[place]) || (name === '[]' && typeof segments[place] === 'number'),
      );
    if (fits && (best === null || rule.from.length >= best.from.length)) best = rule;
  }
  return best;
}

/** Each `[]` of the target takes the place of the `[]` with the same number in the documented path. */
function targetOf({ from }: Rule, to: readonly string[], segments: readonly Segment[]): readonly Segment[] {
  const places = from.flatMap((name, at) => (name === '[]' ? [segments[at] as Segment] : []));
  let used = 0;
  const target = to.map((name): Segment => {
    if (name === '[]') return places[used++] ?? 0;
    return /^\d+$/.test(name) ? Number(name) : name;
  });
  return [...target, ...segments.slice(from.length)];
}

function rulesOf(names: Names): readonly Rule[] {
  const known = rulesOfNames.get(names);
  if (known !== undefined) return known;
  const rules = Object.entries(names).map(([path, target]): Rule => {
    const [to = '', type = null] = target?.split(':') ?? [];
    return { from: segmentsOf(path).map(String), to: target === null ? null : segmentsOf(to).map(String), type };
  });
  rulesOfNames.set(names, rules);
  return rules;
}
const rulesOfNames = new WeakMap<Names, readonly Rule[]>();

/** A value of which nothing would be lost; any other goes out as it is. */
function typed(value: unknown, type: string | null): unknown {
  if (type === 'text') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (type === 'number') return typeof value === 'string' && plainNumber.test(value) ? numberOf(value) : value;
  if (type === null) return value;
  const truth = truths[String(value).toLowerCase()];
  const [, yes, no] = /\((.*)\|(.*)\)/.exec(type) ?? [];
  if (truth === undefined || yes === undefined || no === undefined) return truth ?? value;
  return typed(truth ? yes : no, 'number');
}
const truths: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  y: true,
  '1': true,
  false: false,
  no: false,
  n: false,
  '0': false,
};

const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const mostExactDigits = 15;

/** A whole number of more digits than a number holds exactly, such as an id, goes out digit by digit. */
function numberOf(text: string): unknown {
  if (text.replace(/\D/g, '').length <= mostExactDigits) return Number(text);
  return text.includes('.') ? text : new LongNumber(text);
}

function leavesOf(value: unknown, segments: readonly Segment[]): readonly (readonly [readonly Segment[], unknown])[] {
  const parts = partsOf(value);
  if (parts.length === 0) return segments.length === 0 ? [] : [[segments, value]];
  return parts.flatMap(([name, held]) => leavesOf(held, [...segments, name]));
}

/** Of lists and plain objects; a number that keeps its digits is a value. */
function partsOf(value: unknown): readonly (readonly [Segment, unknown])[] {
  if (Array.isArray(value)) return [...value.entries()];
  if (value instanceof Map) return [...(value as ReadonlyMap<string, unknown>)];
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? Object.entries(value) : [];
}

function set(body: Record<string, unknown>, segments: readonly Segment[], value: unknown): void {
  let parent = body as Record<Segment, unknown>;
  segments.slice(0, -1).forEach((segment, at) => {
    const held = Object.hasOwn(parent, segment) ? parent[segment] : undefined;
    const next = typeof held === 'object' && held !== null ? held : typeof segments[at + 1] === 'number' ? [] : {};
    define(parent, segment, next);
    parent = next as Record<Segment, unknown>;
  });
  define(parent, segments.at(-1) ?? '', value);
}

/** A field may be called `__proto__`. */
function define(parent: object, name: Segment, value: unknown): void {
  Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Without the gaps of lists of which single parts were left out. */
function compacted(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((part) => part !== undefined).map(compacted);
  for (const [name, held] of partsOf(value)) define(value as object, name, compacted(held));
  return value;
}

function segmentsOf(path: string): readonly Segment[] {
  return path
    .replace(/\[(\d*)\]/g, (_, place: string) => `.${place === '' ? '[]' : `#${place}`}`)
    .split('.')
    .filter((name) => name !== '')
    .map((name) => (/^#\d+$/.test(name) ? Number(name.slice(1)) : name));
}

function pathOf(segments: readonly Segment[]): string {
  return segments.reduce<string>((path, segment) => {
    if (typeof segment === 'number') return `${path}[${segment}]`;
    return path === '' ? segment : `${path}.${segment}`;
  }, '');
}
