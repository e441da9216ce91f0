/** What services put around the record that was asked for: no shape is shown (4.3, 4.7). */
import type { RecordKind } from './record-kind.ts';

const around = ['data', 'record', 'result', 'response', 'payload', 'attributes'] as const;
/** `{ "data": { "company": { … } } }`, `{ "data": { "attributes": { … } } }` */
const deepest = 2;

export type RecordPaths = readonly (readonly string[])[];

/** The names of paths at which a record may stand in an answer: the answer itself first, then what is nearer to it. */
export function recordPaths({ singular }: Pick<RecordKind, 'singular'>): RecordPaths {
  const names = [...around, singular];
  const paths: (readonly string[])[] = [[]];
  for (let first = 0, depth = 0; depth < deepest; depth += 1) {
    const last = paths.length;
    for (const path of paths.slice(first, last)) paths.push(...names.map((name) => [...path, name]));
    first = last;
  }
  return paths;
}
