/** What tells whether a contract is still the one that a load went by. */
import { createHash } from 'node:crypto';
import type { ContractSettings } from './contract-settings.ts';

/** Parts that exports and templates go by, and no load. */
const besidesLoads: ReadonlySet<string> = new Set<keyof ContractSettings>(['balances', 'assignees']);

/** SHA-256, in hexadecimal, of everything in a contract that a load goes by, in whatever order it is written down. */
export function contractDigest(contract: ContractSettings): string {
  const parts = Object.entries(contract).filter(([name]) => !besidesLoads.has(name));
  return createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(parts), inOneOrder))
    .digest('hex');
}

function inOneOrder(_name: string, part: unknown): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
}
