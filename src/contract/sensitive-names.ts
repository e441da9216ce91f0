/** The names of fields that are shown masked, by the last part of their paths: wherever they stand, they say the same. */
import { fieldsOf, type PathSegment } from './fields.ts';
import { recordKinds } from './record-kinds.ts';

export const sensitiveNames: ReadonlySet<PathSegment> = new Set([
  ...recordKinds.flatMap(fieldsOf).flatMap((field) => (field.facts.sensitive === true ? field.segments.slice(-1) : [])),
  'birthday',
  'born',
  'social',
  'taxId',
]);
