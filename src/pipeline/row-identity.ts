/**
 * What a row says whatever the way in which it is written: digits of an EIN, an SSN or a phone count without the marks between
 * them, and a blank that the service takes for a value counts as that value.
 */
import { type Field, fieldsOf, type PathSegment } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { type Body, valueAt } from '../mapping/body.ts';

/** Writes a body as JSON that is the same for every way of writing it. */
export type IdentityWriter = (body: Body) => string;

const writtenWithMarks: ReadonlySet<Field['format']> = new Set(['ein', 'ssn', 'phone']);
const northAmericanDigits = 11;

export function identityWriter(kind: RecordKind): IdentityWriter {
  const fields = fieldsOf(kind).filter(({ place }) => place === 'body');
  const marked = fields
    .filter(({ format }) => writtenWithMarks.has(format))
    .map(({ segments, format }) => ({ group: segments.slice(0, -1), name: segments.at(-1) as PathSegment, format }));
  const defaulted = fields.flatMap(({ segments: [name], facts }) =>
    typeof name === 'string' && facts.blankMeans !== undefined ? [{ name, blankMeans: facts.blankMeans }] : [],
  );
  if (marked.length === 0 && defaulted.length === 0) return (body) => JSON.stringify(body);
  return (body) => {
    const plain = copied(body);
    for (const { group, name, format } of marked) {
      const parent = valueAt(plain, group) as Record<PathSegment, unknown> | undefined;
      const written = parent?.[name];
      if (parent !== undefined && typeof written === 'string') parent[name] = bareDigits(written, format);
    }
    const said = defaulted.map(({ name, blankMeans }) => `${name}=${String(plain[name] ?? blankMeans)}`);
    for (const { name } of defaulted) delete plain[name];
    return [JSON.stringify(plain), ...said].join('\n');
  };
}

function copied<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copied) as Value;
  const copy: Record<string, unknown> = {};
  for (const name in value) copy[name] = copied(value[name]);
  return copy as Value;
}

function bareDigits(text: string, format: Field['format']): string {
  const digits = text.replace(/\D+/g, '');
  return format === 'phone' && digits.length === northAmericanDigits && digits.startsWith('1')
    ? digits.slice(1)
    : digits;
}
