/**
 * Points between two ledger steps where a test can kill this process, like a power cut or `kill -9`. Its one rule: nothing happens
 * unless DEALSHEET_STOP_AT is set, and nothing else reads that variable.
 *
 * The instants that matter last microseconds, so a kill from outside hardly ever hits them. A test chooses one with
 * `DEALSHEET_STOP_AT=name` or `name:count`, which kills the process at the count-th pass.
 */

const [, chosen = '', count = '1'] = /^(.*?)(?::(\d+))?$/.exec(process.env.DEALSHEET_STOP_AT ?? '') ?? [];
let passesLeft = Number(count);

/** Kills this process with SIGKILL when a test has chosen this point; else a no-op. */
export function killPoint(name: string): void {
  if (name !== chosen) return;
  passesLeft -= 1;
  if (passesLeft > 0) return;
  process.kill(process.pid, 'SIGKILL');
  // The signal may take a moment to arrive, and no further step may run until then.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
