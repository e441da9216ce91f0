/** What every record of a kind needs beside its required fields: groups of fields, refs that stand in for ids, and what we assume. */
import * as z from 'zod';
import { factsOf, unwrapped } from './field-facts.ts';
import { type Field, fieldsOf } from './fields.ts';
import type { RecordKind } from './record-kind.ts';
import { recordKinds } from './record-kinds.ts';

export const blankLevels = ['error', 'warning', 'none'] as const;
export type BlankLevel = (typeof blankLevels)[number];

/** Fields of which a row is expected to fill one, though the schema takes it without. */
export interface Expected {
  /** By which a profile names it: `transactions.date`, `deals.company.dba`. */
  readonly name: string;
  readonly fields: readonly [Field, ...Field[]];
  /** `listed`: the interface lists it without the optional marker. `assumed`: it says nothing, and we assume it. */
  readonly source: 'listed' | 'assumed';
}

export function expectedOf(kind: RecordKind): readonly Expected[] {
  const expected = new Map<string, Expected>();
  for (const field of fieldsOf(kind)) {
    const { need, listed } = field.facts;
    if (need === undefined && listed !== true) continue;
    const name = `${kind.name}.${need ?? field.path}`;
    const fields = expected.get(name)?.fields ?? [];
    expected.set(name, {
      name,
      fields: [...fields, field] as [Field, ...Field[]],
      source: need === undefined ? 'listed' : 'assumed',
    });
  }
  return [...expected.values()];
}

export const expectedNames: readonly string[] = recordKinds.flatMap(expectedOf).map(({ name }) => name);

/** The groups of fields, such as an owner, of which every record needs at least one. */
export function neededGroups(kind: RecordKind): readonly Pick<Field, 'path' | 'label'>[] {
  return Object.entries(kind.body.shape).flatMap(([path, schema]) => {
    const isNeeded = !(schema instanceof z.ZodOptional) && unwrapped(schema) instanceof z.ZodObject;
    return isNeeded ? [{ path, label: factsOf(schema)?.label ?? path }] : [];
  });
}

/** Whether a row must fill it, and nothing else may stand in its place. */
export function mustBeFilled(field: Field, kind: RecordKind): boolean {
  return field.required && twinOf(field, kind) === null;
}

/** Of a Ref the id in whose place it may stand, of such an id the Ref; `null` for any other field. */
export function twinOf({ path }: Field, kind: RecordKind): Field | null {
  const reference = kind.references.find(({ column, fills }) => column === path || fills === path);
  const twin = reference?.column === path ? reference.fills : reference?.column;
  return fieldsOf(kind).find((field) => field.path === twin) ?? null;
}

/** The label of the ref of the person's own that may stand where an id would, or `null`. */
export function refInPlaceOf(path: string, kind: RecordKind): string | null {
  const reference = kind.references.find(({ fills }) => fills === path || fills.startsWith(`${path}.`));
  return fieldsOf(kind).find((field) => field.path === reference?.column)?.label ?? null;
}
