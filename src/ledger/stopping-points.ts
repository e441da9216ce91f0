/**
 * Places between two ledger steps at which a test can kill this process, as a power cut or `kill -9` would.
 * Its one rule: nothing happens here unless DEALSHEET_STOP_AT is set, and it is read nowhere else.
 *
 * A promise such as "a row is never sent twice" holds at any instant or not at all, and the instants that matter last
 * microseconds: a test that kills from outside hardly ever meets them. So the code names them, and a test chooses one
 * with `DEALSHEET_STOP_AT=name` or `name:count` (the process dies when it comes by for the count-th time).
 */

interface ChosenStop {
  readonly name: string;
  passesLeft: number;
}

const chosen = chosenStop(process.env.DEALSHEET_STOP_AT);

/** Kills this process with SIGKILL when a test has chosen this point; else does nothing. */
export function stoppingPoint(name: string): void {
  if (chosen === null || chosen.name !== name) return;
  chosen.passesLeft -= 1;
  if (chosen.passesLeft > 0) return;
  process.kill(process.pid, 'SIGKILL');
  waitForDeath();
}

function chosenStop(text: string | undefined): ChosenStop | null {
  if (text === undefined || text === '') return null;
  const [, name = text, count = '1'] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  return { name, passesLeft: Math.max(1, Number(count)) };
}

/** The signal may take a moment to arrive, and not one more step may be taken until then. */
function waitForDeath(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0);
}
