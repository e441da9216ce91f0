/** A body as its leaves: each value with its place. A list of words is one leaf, because it is one cell. */

import { oncePer } from '../once.ts';
import { type Segment, segmentsOf } from './body-path.ts';
import { type Field, fieldsOf, isSensitiveName, isWrittenSsn } from './fields.ts';
import type { RecordKind } from './record-kind.ts';

/** A place in the records of a kind. Each is computed once. */
export interface Place {
  readonly path: string;
  /** The field at this place; `null` for a column in braces. */
  readonly field: Field | null;
  /** By its own name, or that of a group around it. */
  readonly isSensitive: boolean;
  readonly inner: Map<Segment, Place>;
}

export interface Leaf {
  readonly place: Place;
  readonly value: unknown;
}

const rootOf = oncePer((kind: RecordKind) => {
  const fields = new Map(fieldsOf(kind).map((field) => [field.path, field]));
  return { fields, root: { path: '', field: null, isSensitive: false, inner: new Map() } as Place };
});
const mostInner = 1_000;

/** @param hides  omits what results hide. A list part with nothing left is dropped, and the parts behind it move up */
export function leavesOf(kind: RecordKind, body: object, hides = false): readonly Leaf[] {
  const { fields, root } = rootOf(kind);
  const leaves: Leaf[] = [];
  const add = (place: Place, value: unknown): void => {
    if (hides && place.isSensitive) return;
    if (typeof value !== 'object' || value === null) {
      if (value !== undefined && !(hides && isWrittenSsn(value))) leaves.push({ place, value });
      return;
    }
    if (!Array.isArray(value)) {
      for (const name in value) add(placeIn(fields, place, name), (value as Readonly<Record<string, unknown>>)[name]);
      return;
    }
    if (!value.some((part) => typeof part === 'object')) {
      const shown = hides ? value.filter((word) => !isWrittenSsn(word)) : value;
      if (shown.length > 0 || value.length === 0) leaves.push({ place, value: shown });
      return;
    }
    let at = 0;
    for (const part of value) {
      const before = leaves.length;
      add(placeIn(fields, place, at), part);
      if (!hides || leaves.length > before) at += 1;
    }
  };
  add(root, body);
  return leaves;
}

export function placeAt(kind: RecordKind, path: string): Place {
  const { fields, root } = rootOf(kind);
  return segmentsOf(path).reduce((place: Place, name) => placeIn(fields, place, name), root);
}

function placeIn(fields: ReadonlyMap<string, Field>, { path, isSensitive, inner }: Place, name: Segment): Place {
  const known = inner.get(name);
  if (known !== undefined) return known;
  const within = typeof name === 'number' ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
  const place: Place = {
    path: within,
    field: fields.get(within) ?? null,
    isSensitive: isSensitive || isSensitiveName(name),
    inner: new Map(),
  };
  if (inner.size < mostInner) inner.set(name, place);
  return place;
}
