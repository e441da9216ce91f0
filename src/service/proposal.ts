/** The profile lines that would declare an answer, proposed to a person who has seen in the service what became of the row. */
import { isObject } from '../contract/body-path.ts';
import type { RecordKindName } from '../contract/record-kind.ts';
import { identifier } from './classify.ts';

interface Leaf {
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
}

const deepest = 4;

/** @returns JSON for the profile: where the id stands, else what the answer says in place of a yes */
export function proposedLine(kind: RecordKindName, body: unknown): string {
  const leaves = leavesOf(body, '', 0);
  const id = leaves.find(({ name, value }) => /(?:^|[a-z_-])id$/i.test(name) && identifier(value) !== null);
  if (id !== undefined) return lineOf(kind, { id: [id.path] });
  const flag =
    leaves.find(({ value }) => value === true) ??
    leaves.find(({ value }) => typeof value === 'string' && /^[\w-]{1,20}$/.test(value));
  return lineOf(kind, { id: [], yes: flag === undefined ? '2xx' : { [flag.path]: flag.value } });
}

function lineOf(kind: RecordKindName, rules: object): string {
  return `"contract": { "answers": { "${kind}": ${JSON.stringify(rules)} } }`;
}

function leavesOf(value: unknown, path: string, depth: number): readonly Leaf[] {
  if (!isObject(value) || depth > deepest) return [];
  return Object.entries(value).flatMap(([name, held]) => {
    const place = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    return isObject(held) ? leavesOf(held, place, depth + 1) : [{ path: place, name, value: held }];
  });
}
