/** Dotted paths into JSON: `data.id`, `items[0].id`, `errors[].message` through a whole list, `.` for the value itself. */

type Step = string | number | typeof every;
const every = Symbol('every part of a list');

const known = new Map<string, readonly Step[]>();
const mostKnown = 1_000;

/** Every value at a path, in order; none where the path leads nowhere. */
export function valuesAt(value: unknown, path: string): readonly unknown[] {
  let found: readonly unknown[] = [value];
  for (const step of stepsOf(path)) {
    found = found.flatMap((each) => (step === every ? partsOf(each) : memberOf(each, step)));
    if (found.length === 0) return found;
  }
  return found;
}

/** The first value other than null at the first path that has one. */
export function firstAt(value: unknown, paths: readonly string[]): unknown {
  for (const path of paths) {
    const found = valuesAt(value, path).find((each) => each !== undefined && each !== null);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function partsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function memberOf(value: unknown, name: string | number): readonly unknown[] {
  return isObject(value) && Object.hasOwn(value, name) ? [value[name]] : [];
}

function stepsOf(path: string): readonly Step[] {
  const before = known.get(path);
  if (before !== undefined) return before;
  const steps = path === '.' ? [] : path.split('.').flatMap(stepsOfPart);
  if (known.size < mostKnown) known.set(path, steps);
  return steps;
}

function stepsOfPart(part: string): readonly Step[] {
  const [, name = '', brackets = ''] = /^([^[]*)((?:\[\d*\])*)$/.exec(part) ?? [part, part];
  const indices = [...brackets.matchAll(/\[(\d*)\]/g)].map(([, index = '']) => (index === '' ? every : Number(index)));
  return name === '' ? indices : [name, ...indices];
}
