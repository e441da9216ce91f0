/**
 * Dotted paths into JSON: `data.id`, `items[0].id`, `errors[].message` for every item, `.` for the value itself, `a\.b` for a name with
 * a point.
 */

import { oncePer, oncePerText } from '../once.ts';

export type Segment = string | number;
const every = '[]';

/** Every value at a path, in order. A member whose name contains dots, such as `@odata.nextLink`, matches first. */
export function valuesAt(value: unknown, path: string): readonly unknown[] {
  const whole = memberOf(value, path);
  if (whole.length > 0) return whole;
  let found: readonly unknown[] = [value];
  for (const segment of segmentsOf(path)) {
    found = found.flatMap((each) => {
      if (segment !== every) return memberOf(each, segment);
      return Array.isArray(each) ? (each as readonly unknown[]) : [];
    });
    if (found.length === 0) return found;
  }
  return found;
}

export function firstAt(value: unknown, paths: readonly string[]): unknown {
  for (const path of paths) {
    const found = valuesAt(value, path).find((each) => each !== undefined && each !== null);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The single value at these segments, in plain JSON or maps. */
export function valueAt<Found = unknown>(value: unknown, segments: readonly Segment[]): Found | undefined {
  let found = value;
  for (const segment of segments)
    if (found instanceof Map) found = found.get(segment);
    else found = isObject(found) && Object.hasOwn(found, segment) ? found[segment] : undefined;
  return found as Found | undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function memberOf(value: unknown, name: string | number): readonly unknown[] {
  if (value instanceof Map) return value.has(name) ? [value.get(name)] : [];
  return isObject(value) && Object.hasOwn(value, name) ? [value[name]] : [];
}

/** Parses `company.phones[0].number` to `['company', 'phones', 0, 'number']`; `[]` means every item. */
export const segmentsOf = oncePerText((path): readonly Segment[] =>
  path === '.' ? [] : path.split(/(?<!\\)\./).flatMap(segmentsOfPart),
);

function segmentsOfPart(part: string): readonly Segment[] {
  const plain = part.replaceAll('\\.', '.');
  const [, name = '', brackets = ''] = /^([^[]*)((?:\[\d*\])*)$/.exec(plain) ?? [plain, plain];
  const indices = [...brackets.matchAll(/\[(\d*)\]/g)].map(([, index = '']) => (index === '' ? every : Number(index)));
  return name === '' ? indices : [name, ...indices];
}

/** Formats `['company', 'phones', 0, 'number']` as `company.phones[0].number`. */
export function pathOf(segments: readonly Segment[]): string {
  return segments.reduce<string>((path, segment) => {
    if (typeof segment === 'number') return `${path}[${segment}]`;
    return path === '' ? segment : `${path}.${segment}`;
  }, '');
}

/** The same, as it is read: with the points of a name escaped. */
export function exactPathOf(segments: readonly Segment[]): string {
  return pathOf(segments.map((segment) => (typeof segment === 'string' ? segment.replaceAll('.', '\\.') : segment)));
}

const plainNames = oncePer((names: readonly string[]) => new Set(names.map(plainName).filter((name) => name !== '')));

export function isNamed(name: string, names: readonly string[]): boolean {
  return names.includes(name) || plainNames(names).has(plainName(name));
}

/** Names in an answer are compared without case and punctuation. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}]/gu, '');
}
