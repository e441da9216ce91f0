/**
 * Which fingerprints rows of a source have already, from an earlier run. Its one rule: a fingerprint is a row's own only while
 * the row says what it said; when a person has moved cells between the rows of a results sheet, it tells nothing.
 */

import { Digester } from '../../checks/digester.ts';
import type { RecordKind, RecordKindName } from '../../contract/record-kind.ts';
import { isIn, isKnownIn, isUnknown } from '../../ledger/entry-state.ts';
import type { Entry, Ledger, RunRecord, RunRow } from '../../ledger/ledger.ts';
import { type Body, segmentsOf, setAt } from '../../mapping/body.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import type { ReferenceIndex } from './reference-index.ts';
import { identityWriter, sensitiveFields } from './row-identity.ts';

/** A row that has its fingerprint from an earlier run. */
export interface Claim {
  /** In hexadecimal. */
  readonly fingerprint: string;
  readonly says: string;
}

/** Gives what a row says, as a digest that is the same for every way of writing it. */
export type Saying = (row: CheckedRow) => string;

/**
 * Tells rows of one source apart by what a results sheet shows of them: of a row that is in, it hides the rest. A parent
 * counts as itself, whether a row names its id or the ref of an earlier load.
 */
export function sayingOf(references: Pick<ReferenceIndex, 'earlierId'>): Saying {
  const writers = new Map<RecordKindName, (body: Body) => string>();
  return ({ kind, pathId, body, references: named }) => {
    const write = writers.get(kind.name) ?? shownWriter(kind);
    writers.set(kind.name, write);
    const whole = named.length === 0 ? body : structuredClone(body);
    for (const { reference, ref } of named) {
      setAt(whole, segmentsOf(reference.fills), references.earlierId(reference.to, ref) ?? ref);
    }
    const { high, low } = new Digester()
      .text(kind.name)
      .text(pathId ?? '')
      .text(write(whole));
    return `${high},${low}`;
  };
}

function shownWriter(kind: RecordKind): (body: Body) => string {
  const write = identityWriter(kind);
  const sensitive = sensitiveFields();
  return (body) => sensitive.without(body, write);
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

  /** Whether a row of the source has the fingerprint, whatever it says by now. */
  has(fingerprint: Buffer): boolean {
    return this.#says.has(fingerprint.toString('hex'));
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

export interface ClaimsOptions {
  /** Whether the run was begun before: what its own rows have counts too. */
  readonly resumed: boolean;
  readonly again: boolean;
  /** Earlier runs of the same source. */
  readonly earlierRuns: readonly Pick<RunRecord, 'id'>[];
}

/**
 * Which fingerprints the rows of a source have: by the results sheet that it is, by this very run, or by the runs in which
 * they went on.
 */
export function claimsOf(given: readonly Claim[], ledger: Ledger, run: string, options: ClaimsOptions): Claims {
  const claims = new Claims(given);
  const add = ({ state, fingerprint }: Entry) => {
    if (isIn(state) || isUnknown(state)) claims.add(fingerprint.toString('hex'));
  };
  if (options.resumed) {
    for (const entry of ledger.entriesOfRun(run)) {
      add(entry);
      // It is not sent again by this run, and comes back with this fingerprint: its equal is another row.
      if (entry.state === 'rejected') claims.add(entry.fingerprint.toString('hex'));
    }
  }
  if (options.again) return claims;
  const earlier = options.earlierRuns.map(({ id }) => id);
  for (const id of options.resumed ? [run, ...earlier] : earlier) {
    for (const position of ledger.rowsThatCameBack(id)) {
      const row = { ...position, run: id };
      const latest = ledger.latest(row);
      const entry = ledger.entry(latest.run, latest);
      if (entry !== null && !isRecordOfAnother(ledger, row, entry)) add(entry);
    }
  }
  return claims;
}

/** Whether a row came back with the cells of another row, and is in by the record of that one alone. */
export function isRecordOfAnother(ledger: Ledger, row: RunRow, { state }: Entry): boolean {
  return isKnownIn(state) && !ledger.wasTaken(row);
}
