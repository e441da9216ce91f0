/**
 * The names that a service uses for the fields of a kind, where they differ from the documented ones. Applied last, to the finished
 * body, so that refs, checks, formats and masks only see documented names. No value ever replaces another.
 */

import { oncePer } from '../once.ts';
import { exactPathOf, isObject, pathOf, type Segment, segmentsOf, valuesAt } from './body-path.ts';
import { fieldsOf } from './fields.ts';
import type { RecordKind } from './record-kind.ts';
import { allDigitsOf, type Conversion, conversionOf, ownForm } from './value-types.ts';

/** `"company.phones[].number": "merchant.telephones[]"`, `"dealId": "opportunity.id:number"`, or `null` to omit a field. */
export type Names = Readonly<Record<string, string | null>>;

type Json = Readonly<Record<string, unknown>>;

interface Rule {
  readonly from: readonly string[];
  readonly to: readonly string[] | null;
  readonly convert: Conversion;
}

const asItIs: Conversion = (value) => value;

/**
 * The rules to write a body, to read one back, and for texts of several fields: `{owner1.firstName} {owner1.lastName}`. `numbered` are
 * the parts of lists that have a place by their number, beside which the others have none.
 */
const rulesOf = oncePer((names: Names) => {
  const [write, read, joins, numbered]: [Rule[], Rule[], Rule[], (readonly string[])[]] = [[], [], [], []];
  for (const [path, target] of Object.entries(names)) {
    const documented = segmentsOf(path).map(String);
    // A type may contain colons.
    const [, place = '', type = ''] = /^([^:]*):?(.*)$/.exec(target ?? '') ?? [];
    const there = target === null ? null : segmentsOf(place).map(String);
    const convert = conversionOf(type, 'write');
    const parts = placesOf(path).map((part): Rule => ({ from: segmentsOf(part).map(String), to: null, convert }));
    for (const { from } of there === null ? [] : [...parts, { from: documented }])
      numbered.push(...from.flatMap((name, at) => (/^\d+$/.test(name) ? [from.slice(0, at + 1)] : [])));
    write.unshift(...parts);
    if (parts.length > 0) joins.push({ from: [path], to: there, convert });
    else write.push({ from: documented, to: there, convert });
    if (parts.length === 0 && there !== null)
      read.push({ from: there, to: documented, convert: conversionOf(type, 'read') });
  }
  return { write, read, joins, numbered };
});

/** What stands between two fields is left out beside a blank one. @throws PlaceTaken for more than a single value */
function joined(text: string, body: Json): string {
  return [...text.matchAll(/([^{}]*)\{([^{}]*)\}/g)].reduce((so, [, between = '', path = '']) => {
    const [only, ...others] = valuesAt(body, path).filter((value) => value !== undefined && value !== null);
    if (others.length > 0 || isObject(only)) throw new PlaceTaken(path);
    const value = allDigitsOf(only ?? '');
    return value === '' ? so : so + (so && between) + value;
  }, '');
}

/** The places in braces of a path or a text. */
export function placesOf(text: string): readonly string[] {
  return [...text.matchAll(/\{([^}]*)\}/g)].map(([, place = '']) => place);
}

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
  const { write: rules, joins, numbered } = rulesOf(names);
  const fixed = Object.entries(constants);
  if (rules.length === 0 && fixed.length === 0) return (body) => body;
  return (body) => {
    const renamed: Record<string, unknown> = {};
    for (const [segments, value] of leavesOf(body)) {
      const beside = numbered.filter((part) => begins([...part.slice(0, -1), '[]'], segments));
      if (beside.length > 0 && !beside.some((part) => begins(part, segments)) && ruleFor(segments, rules) === null)
        throw new PlaceTaken(pathOf(segments));
      for (const { to, convert } of targetsOf(rules, segments, value))
        if (!set(renamed, to, convert(value))) throw new PlaceTaken(pathOf(segments));
    }
    for (const { from, to, convert } of joins) {
      const value = joined(from.join(), body);
      const place = to === null || value === '' ? null : targetOf({ from }, to, []);
      if (place !== null && !set(renamed, place, convert(value))) throw new PlaceTaken(placesOf(from.join())[0] ?? '');
    }
    for (const [path, value] of fixed) if (!set(renamed, segmentsOf(path), value)) throw new PlaceTaken(path);
    return withoutGaps(renamed);
  };
}

/** The reverse: converts the service's names to the documented ones. Other members stay unchanged. */
export const documentedBy = oncePer((names: Names): ((body: Json) => Json) => {
  const rules = rulesOf(names).read;
  return (body) => {
    if (rules.length === 0) return body;
    const [taken, documented]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
    const put = (into: Record<string, unknown>, [segments, value]: Leaf): boolean =>
      targetsOf(rules, segments, value).every(({ to, convert }) => set(into, to, convert(value)));
    const leaves = leavesOf(body);
    const named = new Set(leaves.filter(([segments]) => ruleFor(segments, rules) !== null));
    for (const leaf of named) put(taken, leaf);
    // A member that has a documented name only by coincidence gives way.
    for (const leaf of leaves) if (named.has(leaf) || put(taken, leaf)) put(documented, leaf);
    return withoutGaps(documented);
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

/** The fields of a form: `deal[id]=7`, `rows[0][amount]=5`, and `tags[]=a` for a list of single values. */
export function formText(body: unknown): string {
  const fields = leavesOf(body).map(([[first, ...inner], value]): [string, string] => {
    const names = inner.map((name, at) => (typeof name === 'number' && at === inner.length - 1 ? '' : name));
    const isBlank = value === null || typeof value === 'object';
    return [[first, ...names.map((name) => `[${name}]`)].join(''), isBlank ? '' : allDigitsOf(value)];
  });
  return new URLSearchParams(fields).toString();
}

/** The reverse. A blank field is `null`. */
export function formBody(text: string): Json {
  const counts = new Map<string, number>();
  const fields = [...new URLSearchParams(text)].map(([name, value]) => {
    const at = counts.get(name) ?? 0;
    counts.set(name, at + 1);
    const path = name
      .replaceAll('.', '\\.')
      .replace(/\[([^\]]*)\]/g, (_, inner: string) => (/^\d*$/.test(inner) ? `[${inner || at}]` : `.${inner}`));
    return [path, value || null];
  });
  return renamer({}, Object.fromEntries(fields) as Json)({});
}

export function placesIn(body: unknown): ReadonlyMap<string, unknown> {
  return new Map(leavesOf(body).map(([segments, value]) => [exactPathOf(segments), value]));
}

export function divided(body: Json, paths: readonly string[]): { readonly at: Json; readonly rest: Json } {
  const rules = paths.map((path): Rule => ({ from: segmentsOf(path).map(String), to: null, convert: asItIs }));
  const [at, rest]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const [segments, value] of leavesOf(body)) set(ruleFor(segments, rules) === null ? rest : at, segments, value);
  return { at, rest };
}

/** The service's path of a documented one: `merchant.telephones[0]` for `company.phones[0].number`; `null` for an omitted field. */
export function wirePathOf(path: string, names: Names): string | null {
  const segments = segmentsOf(path);
  const rule = ruleFor(segments, rulesOf(names).write);
  if (rule === null) return path;
  return rule.to === null ? null : exactPathOf(targetOf(rule, rule.to, segments));
}

function targetsOf(
  rules: readonly Rule[],
  segments: readonly Segment[],
  value: unknown,
): readonly { readonly to: readonly Segment[]; readonly convert: Conversion }[] {
  const rule = ruleFor(segments, rules);
  if (rule !== null) return rule.to === null ? [] : [{ ...rule, to: targetOf(rule, rule.to, segments) }];
  const wholes = value === null || Array.isArray(value) ? wholesOf(rules, segments) : [];
  return (wholes.length > 0 ? wholes : [segments]).map((to) => ({ to, convert: asItIs }));
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
function targetOf(
  { from }: Pick<Rule, 'from'>,
  to: readonly string[],
  segments: readonly Segment[],
): readonly Segment[] {
  const places = from.flatMap((name, at) => (name === '[]' ? [segments[at] as Segment] : []));
  let used = 0;
  const target = to.map((name): Segment => {
    if (name === '[]') return places[used++] ?? 0;
    return /^\d+$/.test(name) ? Number(name) : name;
  });
  return [...target, ...segments.slice(from.length)];
}

type Leaf = readonly [place: readonly Segment[], value: unknown];

/** Each value with its place. An empty list or object is one value. */
export function leavesOf(value: unknown, segments: readonly Segment[] = []): readonly Leaf[] {
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

/** Closes the gaps of lists, such as that of a second phone without the first. */
export function withoutGaps<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.filter((part) => part !== undefined).map(withoutGaps) as Value;
  for (const [name, held] of partsOf(value)) (value as Record<Segment, unknown>)[name] = withoutGaps(held);
  return value;
}
