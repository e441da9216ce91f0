/**
 * Forgets old runs. Its one rule: a run with a row in doubt or a load that is not ended is never forgotten, nor is one in
 * which rows of such a run went on. What is forgotten no longer guards: a row of such a run would be sent again, unless a run
 * that stays has met it.
 */
import type { Database, Statement } from '../disk/database.ts';
import { updates } from './guarding.ts';
import type { Pruned } from './ledger.ts';

type LiveColumns = [sheet: number, row: number];

export class Pruning {
  readonly #db: Database;
  readonly #old: Statement;
  readonly #wentOn: Statement;
  readonly #resent: Statement;
  readonly #liveOf: Statement;
  readonly #setGuard: Statement;
  readonly #guardAnew: Statement;

  constructor(db: Database) {
    this.#db = db;
    this.#old = db
      .prepare(
        `SELECT r.number FROM runs r WHERE r.state = 'ended' AND r.started_at < ? AND NOT EXISTS (
           SELECT 1 FROM sheets s JOIN entries e ON e.sheet = s.number
           WHERE s.run = r.number AND e.state IN ('sending', 'in-doubt'))`,
      )
      .raw();
    this.#wentOn = db
      .prepare(
        `SELECT DISTINCT s.run, n.run FROM successors c
         JOIN sheets s ON s.number = c.sheet JOIN sheets n ON n.number = c.next_sheet WHERE s.run <> n.run
         ORDER BY s.run`,
      )
      .raw();
    this.#resent = db.prepare('SELECT DISTINCT service, fingerprint FROM entries WHERE guard > 0').raw();
    this.#liveOf = db
      .prepare(
        'SELECT sheet, row FROM entries WHERE service = ? AND fingerprint = ? AND guard IS NOT NULL ORDER BY guard',
      )
      .raw();
    this.#setGuard = db.prepare('UPDATE entries SET guard = ? WHERE sheet = ? AND row = ?');
    this.#guardAnew = db.prepare(
      `UPDATE OR IGNORE entries SET guard = 0 WHERE guard IS NULL AND state = 'already-loaded' AND kind <> '${updates}'
       AND NOT EXISTS (
         SELECT 1 FROM entries l WHERE l.service = entries.service AND l.fingerprint = entries.fingerprint AND l.guard IS NOT NULL)`,
    );
  }

  /** Within a transaction that is open. */
  prune(before: string): Pruned {
    const runs = this.#toForget(before);
    let entries = 0;
    for (const run of runs) entries += this.#forget(run);
    if (entries > 0) this.#closeGaps();
    // A file of many months brings old rows back each month: what met them last knows that they are in.
    if (entries > 0) this.#guardAnew.run([]);
    return { runs: runs.size, entries };
  }

  /** A run that stays may be taken up again, and its rows are looked for where they went on. */
  #toForget(before: string): ReadonlySet<number> {
    const runs = new Set((this.#old.all([before]) as [number][]).map(([run]) => run));
    // Rows go on in later runs alone: those of a run are settled before it is come to.
    for (const [run, next] of this.#wentOn.all([]) as [number, number][]) if (!runs.has(run)) runs.delete(next);
    return runs;
  }

  #forget(run: number): number {
    const removed = this.#db.prepare('DELETE FROM entries WHERE sheet IN (SELECT number FROM sheets WHERE run = ?)');
    const { changes } = removed.run([run]);
    const forgotten = 'SELECT number FROM sheets WHERE run = ?';
    this.#db
      .prepare(`DELETE FROM successors WHERE sheet IN (${forgotten}) OR next_sheet IN (${forgotten})`)
      .run([run, run]);
    this.#db.prepare('DELETE FROM sheets WHERE run = ?').run([run]);
    this.#db.prepare('DELETE FROM resolutions WHERE run = (SELECT id FROM runs WHERE number = ?)').run([run]);
    this.#db.prepare('DELETE FROM runs WHERE number = ?').run([run]);
    return changes;
  }

  /** Guards of a fingerprint count from 0 without a gap: a free 0 would let a row pass whose equal is in. */
  #closeGaps(): void {
    for (const [service, fingerprint] of this.#resent.all([]) as [number, Buffer][]) {
      const live = this.#liveOf.all([service, fingerprint]) as LiveColumns[];
      live.forEach(([sheet, row], guard) => {
        this.#setGuard.run([guard, sheet, row]);
      });
    }
  }
}
