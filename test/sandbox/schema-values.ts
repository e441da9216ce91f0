/** Values made from the JSON Schemas of the sandbox's own document: good ones, and ones with something broken. */
import fc from 'fast-check';
import type { JsonSchema } from '../../src/sandbox/openapi.ts';

const largestNumber = 1e9;

type Resolve = (schema: JsonSchema) => JsonSchema;

/** A value that the schema allows. Texts with a pattern are taken from the schema's examples. */
export function goodValue(schema: JsonSchema, resolve: Resolve): fc.Arbitrary<unknown> {
  const { type, enum: choices, anyOf, properties, pattern, format, examples = [] } = resolve(schema);
  const own = resolve(schema);
  if (choices !== undefined) return fc.constantFrom(...choices);
  if (anyOf !== undefined && properties === undefined)
    return fc.oneof(...anyOf.map((choice) => goodValue(choice as JsonSchema, resolve)));
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => goodValue({ ...own, type: each }, resolve)));
  switch (type) {
    case 'object':
      return goodObject(own, resolve);
    case 'array':
      return fc.array(goodValue((own.items ?? {}) as JsonSchema, resolve), {
        minLength: own.minItems ?? 0,
        maxLength: Math.max(own.minItems ?? 0, 3),
      });
    case 'string':
      if (pattern !== undefined || format !== undefined) return fc.constantFrom(...(examples as unknown[]));
      return fc.string({ unit: 'binary', minLength: own.minLength ?? 0, maxLength: Math.min(own.maxLength ?? 40, 60) });
    case 'number':
      return fc.double({
        noNaN: true,
        noDefaultInfinity: true,
        min: own.minimum ?? -largestNumber,
        max: own.maximum ?? largestNumber,
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

/** Any JSON at all, or a good value with one part replaced by any JSON. */
export function brokenValue(schema: JsonSchema, resolve: Resolve): fc.Arbitrary<unknown> {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(null, '', 0, -1, 1e308, 'x'.repeat(2000), [], {}, '\0', '\ud800'),
  );
  const spoiled = fc
    .tuple(goodValue(schema, resolve), fc.infiniteStream(fc.nat()), anything)
    .map(([value, choices, replacement]) => replaced(value, choices, replacement));
  return fc.oneof(anything, spoiled, spoiled);
}

function goodObject(
  { properties = {}, required = [], minProperties = 0 }: JsonSchema,
  resolve: Resolve,
): fc.Arbitrary<unknown> {
  const entries = Object.entries(properties).map(([name, property]) => [
    name,
    goodValue(property as JsonSchema, resolve),
  ]);
  const record = fc.record(Object.fromEntries(entries) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: [...required],
  });
  return record.filter((value) => Object.keys(value).length >= minProperties);
}

/** Walks down by the choices and puts the replacement where the walk ends. */
function replaced(value: unknown, choices: Iterator<number>, replacement: unknown): unknown {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const choice: number = choices.next().value ?? 0;
  const key = keys[choice % Math.max(keys.length, 1)];
  if (key === undefined) return replacement;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = choice % 3 === 0 ? replacement : replaced(copy[key], choices, replacement);
  return copy;
}
