/**
 * Points between two ledger steps where a test can kill this process, like a power cut or `kill -9`. Its one rule: nothing happens
 * unless DEALSHEET_STOP_AT is set, and nothing else reads that variable.
 *
 * The instants that matter last microseconds, so a kill from outside hardly ever hits them. A test chooses one with
 * `DEALSHEET_STOP_AT=name` or `name:count`, which kills the process at the count-th pass.
 */

interface ChosenStop {
  readonly name: string;
  passesLeft: number;
}

const chosen = chosenStop(process.env.DEALSHEET_STOP_AT);

/** Kills this process with SIGKILL when a test has chosen this point; else a no-op. */
export function killPoint(name: string): void {
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

/** The signal may take a moment to arrive, and no further step may run until then. */
function waitForDeath(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0);
}
