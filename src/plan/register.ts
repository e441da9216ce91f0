/** Registers the staged rows of a kind in the ledger when a run begins. Every row gets an id, whatever its decision. */
import { setImmediate } from 'node:timers/promises';
import type { RecordKindName } from '../contract/record-kind.ts';
import { noRecord } from '../contract/row-state.ts';
import type { Registration, Run, TrustedState } from '../ledger/ledger.ts';
import { messageOf } from '../messages/text.ts';
import { isRegistered, type KnownStaged, numberOfNew } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import { decisionOf, earlierOf, whyOf } from './decision.ts';
import { digestsFor } from './parents.ts';
import type { Around } from './row-digests.ts';
import { againstSent, noteOfSkipped } from './row-state.ts';

/** A commit of a few rows costs nearly as much as one of many: in a large ledger, each writes most pages of an index. */
const fewestAtOnce = 4096;

/** Parents must be registered first: the digest of a child contains the row ids of its parents. */
export async function registerKind(run: Run, kind: RecordKindName, around: Around): Promise<void> {
  const { staging, ledger } = around;
  const registerRows = async (rows: readonly KnownStaged[]): Promise<void> => {
    if (rows.length === 0) return;
    const { digests } = await digestsFor(kind, rows, around);
    const registrations = rows.map((row): Registration => {
      const { decided, isAgain, id } = sendingOf(row, staging);
      return {
        sheet: staging.sheetOf(row).name,
        row: row.row,
        kind,
        // A row that is sent again gets a new id.
        id: isAgain ? null : id,
        repeats: isAgain ? id : null,
        corrects: decided?.heldFor ?? null,
        ...(row.foundBy !== 'copy' && { ref: digests.ref(row)[0] ?? null }),
        // Where copies differ, it is unknown which one is right, so the contents of neither may identify the row later.
        digests: row.differs ? [] : digests.kept(row),
        since: isSaidSince(row) ? digests.since(row) : [],
        note: noteOf(row, run.id, staging),
        isByRef: row.foundBy === 'ref' && whyOf(decisionOf(row)) === 'changed-since-loaded',
        trusted: trustedStateOf(row),
      };
    });
    // Digests and commit each take a tenth of a second or two, in which no other task runs.
    await setImmediate();
    const ids = await run.register(registrations);
    for (const [at, row] of rows.entries()) {
      const [[content], id] = [digests.content(row), ids[at]];
      if (content !== undefined && id !== undefined) staging.register(row, id, content);
    }
  };
  for await (const rows of staging.batches(kind, 'TRUE', Math.max(fewestAtOnce, ledger.rowsAtOnce))) {
    await registerRows(rows.filter((row) => firstLineOf(row) === null));
    // Their first lines have ids by now.
    await registerRows(rows.filter((row) => firstLineOf(row) !== null));
  }
}

/** For a second line of a row that is new to the ledger: the number of its first line, further up, which gets the id. */
function firstLineOf({ number, id, foundBy }: KnownStaged): number | null {
  const first = foundBy === 'copy' ? numberOfNew(id) : null;
  return first === number ? null : first;
}

function sendingOf(row: KnownStaged, staging: Staging) {
  const decided = decisionOf(row);
  const first = firstLineOf(row);
  const { id } = first === null ? row : staging.one(first);
  return { decided, isAgain: decided?.isAgain === true, id: isRegistered(id) ? id : null };
}

/** A line that is certainly that of its row: what it says counts as said of the row, whether it was sent or not. */
function isSaidSince(row: KnownStaged): boolean {
  const decided = decisionOf(row);
  const why = decided?.do === 'settle' ? decided.reportedAs?.why : whyOf(decided);
  return (row.foundBy === 'key' || row.foundBy === 'place') && why != null && why !== 'already-loaded' && !row.differs;
}

/** The state from a trusted results sheet. A row with an unknown key is registered as in doubt. */
function trustedStateOf({ foundBy, own }: KnownStaged): TrustedState | null {
  if (foundBy === 'unknown-key') return { ...noRecord, phase: 'in-doubt' };
  if (foundBy !== 'trusted' || own === null) return null;
  const { answer, company, url, saysIn } = own;
  const isDenied = answer?.kind === 'not-created';
  if (isDenied && !saysIn) return null;
  const isIn = (saysIn && !isDenied) || answer?.kind === 'created';
  return { phase: isIn ? 'committed' : 'in-doubt', record: answer?.id ?? null, company, url };
}

/** The result of a row that is not sent; `null` for a row to send, and for one that this run has sent, whose outcome counts. */
function noteOf(row: KnownStaged, run: string, staging: Staging): Registration['note'] {
  const decided = decisionOf(row);
  if (decided?.do === 'settle')
    return decided.reportedAs === undefined
      ? { state: 'already-loaded', message: messageOf('resolved-by-id') }
      : noteOfSkipped(decided.reportedAs);
  if (decided?.do === 'send') return { state: null, message: againstSent(decided) };
  if (decided === null || decided.why === 'refused-before') return null;
  // Where the line that counts is sent, what comes of the row stands in that line.
  const counts = row.foundBy === 'copy' ? staging.claimantOf(row.id ?? 0) : null;
  if (counts !== null && decisionOf(staging.one(counts))?.do === 'send')
    return { ...noteOfSkipped(decided), state: 'not-sent' };
  const earlier = earlierOf(decided);
  if (earlier?.at.run !== run || earlier.at.row !== row.row) return noteOfSkipped(decided);
  // A doubt that a results sheet reports was never sent by this ledger, so it has no outcome that says what to do.
  return earlier.phase === 'in-doubt' && earlier.attempt === 0 ? noteOfSkipped({ ...decided, other: null }) : null;
}
