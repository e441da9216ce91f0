/**
 * Which fingerprints rows of a source have already, from an earlier run. Its one rule: a fingerprint is a row's own only while
 * the row says what it said; when a person has moved cells between the rows of a results sheet, it tells nothing.
 */
import type { CheckedRow } from '../mapping/checked-row.ts';
import { Digester } from './first-rows.ts';

/** A row that has its fingerprint from an earlier run. */
export interface Claim {
  /** In hexadecimal. */
  readonly fingerprint: string;
  readonly says: string;
}

/** Tells rows of one source apart by what their cells say, before refs are ids. */
export function whatItSays({ kind, pathId, body }: CheckedRow): string {
  const { high, low } = new Digester()
    .text(kind.name)
    .text(pathId ?? '')
    .value(body);
  return `${high},${low}`;
}

export class Claims {
  readonly #says = new Map<string, string | null>();

  constructor(claims: readonly Claim[]) {
    for (const { fingerprint, says } of claims) this.#says.set(fingerprint, says);
  }

  /** Adds a fingerprint that this very run has given, whatever a row says now. */
  add(fingerprint: string): void {
    this.#says.set(fingerprint, null);
  }

  get isEmpty(): boolean {
    return this.#says.size === 0;
  }

  /**
   * Whether the fingerprint is that of another row of the source which says the same: two rows then, and not one.
   * @param says  what the row says that might have this fingerprint
   */
  isOfEqualRow(fingerprint: Buffer, says: string): boolean {
    const claimed = this.#says.get(fingerprint.toString('hex'));
    return claimed !== undefined && (claimed === null || claimed === says);
  }
}
