/** What every record of a kind needs beside its required fields, by its schema: groups of fields, and the refs that stand in for ids. */
import * as z from 'zod';
import { factsOf, unwrapped } from './field-facts.ts';
import { fieldsOf } from './fields.ts';
import type { RecordKind } from './record-kind.ts';

export interface NeededGroup {
  readonly path: string;
  readonly label: string;
}

/** The groups of fields, such as an owner, of which every record needs at least one. */
export function neededGroups(kind: RecordKind): readonly NeededGroup[] {
  return Object.entries(kind.body.shape).flatMap(([path, schema]) => {
    const isNeeded = !(schema instanceof z.ZodOptional) && unwrapped(schema) instanceof z.ZodObject;
    return isNeeded ? [{ path, label: factsOf(schema)?.label ?? path }] : [];
  });
}

/** The label of the ref of the person's own that may stand where an id would, or `null`. */
export function refInPlaceOf(path: string, kind: RecordKind): string | null {
  const reference = kind.references.find(({ fills }) => fills === path || fills.startsWith(`${path}.`));
  return fieldsOf(kind).find((field) => field.path === reference?.column)?.label ?? null;
}
