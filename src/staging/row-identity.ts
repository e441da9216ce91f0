/**
 * What a row says whatever the way in which it is written: digits of an EIN, an SSN or a phone count without the marks between
 * them, and a blank that the service takes for a value counts as that value.
 */
import { type Field, fieldsOf, type PathSegment } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { isSensitiveName, looksSensitive } from '../contract/sensitive-names.ts';
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
    const said = defaulted.map(({ name, blankMeans }) => `${name}=${String(body[name] ?? blankMeans)}`);
    const given = defaulted.filter(({ name }) => body[name] !== undefined);
    const changed: Change[] = given.map(({ name }) => put(body, name, undefined));
    for (const { group, name, format } of marked) {
      const parent = valueAt(body, group) as Parent | undefined;
      const written = parent?.[name];
      if (parent !== undefined && typeof written === 'string')
        changed.push(put(parent, name, bareDigits(written, format)));
    }
    // A copy of the body would cost as much as its JSON, 4 µs a row.
    const json = JSON.stringify(body);
    restore(changed);
    return [json, ...said].join('\n');
  };
}

/** The fields of a kind that a results sheet hides. */
export interface SensitiveFields {
  areIn(body: Body): boolean;
  /** What is made of a body while it lacks them; afterwards it is as it was. */
  without(body: Body, make: IdentityWriter): string;
}

export function sensitiveFields(): SensitiveFields {
  return {
    areIn: (body) => sensitivePlaces(body).length > 0,
    without: (body, make) => {
      const changed = sensitivePlaces(body).map(({ parent, name }) => put(parent, name, undefined));
      const made = make(body);
      restore(changed);
      return made;
    },
  };
}

/** The members of a body that a results sheet masks, by their names or by what they look like. */
function sensitivePlaces(parent: object): readonly Pick<Change, 'parent' | 'name'>[] {
  const places: Pick<Change, 'parent' | 'name'>[] = [];
  for (const [name, value] of Object.entries(parent)) {
    if (value === undefined) continue;
    if (isSensitiveName(name) || looksSensitive(value)) places.push({ parent: parent as Parent, name });
    else if (typeof value === 'object' && value !== null) places.push(...sensitivePlaces(value));
  }
  return places;
}

type Parent = Record<PathSegment, unknown>;

interface Change {
  readonly parent: Parent;
  readonly name: PathSegment;
  readonly before: unknown;
}

function put(parent: Parent, name: PathSegment, value: unknown): Change {
  const before = parent[name];
  parent[name] = value;
  return { parent, name, before };
}

function restore(changed: readonly Change[]): void {
  for (const { parent, name, before } of changed) parent[name] = before;
}

function bareDigits(text: string, format: Field['format']): string {
  const digits = text.replace(/\D+/g, '');
  return format === 'phone' && digits.length === northAmericanDigits && digits.startsWith('1')
    ? digits.slice(1)
    : digits;
}
