/** One member is changed, and a person finds everything else as they have written it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withMember } from '../../../src/cli/settings/written-json.ts';

const names = fc.constantFrom('profiles', 'live', 'contract', 'a "quoted" {name}', '', '__proto');
const leaf = fc.jsonValue({ maxDepth: 1 }).filter((value) => !isPlain(value));
const level = (held: fc.Arbitrary<unknown>) => fc.dictionary(names, fc.oneof(leaf, held), { maxKeys: 3 });
const trees = level(level(level(leaf)));

describe('a member of a JSON text', () => {
  it('is set, made where it is missing, and nothing else is changed', () => {
    const blanks = fc.constantFrom(0, 2, 4, '\t');
    fc.assert(
      fc.property(
        trees,
        fc.array(names, { minLength: 1, maxLength: 4 }),
        fc.jsonValue(),
        blanks,
        (tree, path, value, unit) => {
          fc.pre(leadsThroughObjects(tree, path));
          const before = JSON.stringify(tree, null, unit);
          const after = withMember(before, path, value);
          expect(JSON.parse(after)).toEqual(JSON.parse(JSON.stringify(changed(tree, path, value))));
          const held = heldAt(tree, path);
          const kept = sharedLength(before, after) + sharedLength(reversed(before), reversed(after));
          const replaced = held === undefined ? 0 : JSON.stringify(held).length;
          if (unit === 0) expect(kept).toBeGreaterThanOrEqual(before.length - replaced);
        },
      ),
    );
  });

  it.each([
    ['{"a":1}', ['b'], '{"a":1,\n  "b": 2}'],
    ['{ }', ['b'], '{\n  "b": 2\n}'],
    ['{\n\t"a": {"c": [1, 2]}, "z": 0\n}', ['a', 'b'], '{\n\t"a": {"c": [1, 2],\n\t\t"b": 2}, "z": 0\n}'],
    ['{"a": {"b": "}\\"" }, "z": 0}', ['a', 'b'], '{"a": {"b": 2 }, "z": 0}'],
  ])('%s', (text, path, expected) => {
    expect(withMember(text, path, 2)).toBe(expected);
  });
});

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function heldAt(tree: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (held, name) => (isPlain(held) && Object.hasOwn(held, name) ? held[name] : undefined),
    tree,
  );
}

function leadsThroughObjects(tree: unknown, path: readonly string[]): boolean {
  return path.slice(0, -1).every((_, at) => {
    const held = heldAt(tree, path.slice(0, at + 1));
    return held === undefined || isPlain(held);
  });
}

function changed(tree: Record<string, unknown>, [name = '', ...further]: readonly string[], value: unknown): object {
  const held = isPlain(tree[name]) ? (tree[name] as Record<string, unknown>) : {};
  return { ...tree, [name]: further.length === 0 ? value : changed(held, further, value) };
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}
