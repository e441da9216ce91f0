/**
 * Updates of one company that give a field other values. Its one rule: a row that comes back late is not written over one that
 * stands below it in the same source and is in.
 */
import { fieldsOf } from '../contract/fields.ts';
import type { Ledger, RunRow } from '../ledger/ledger.ts';
import type { Body } from '../mapping/body.ts';
import type { JudgedRow } from './judged-row.ts';
import type { Rival } from './row-note.ts';
import type { SurveyedSheet } from './survey.ts';

/** An update that is in, or may be. */
interface UpdateThere {
  /** Where it stood in the source that it first came with. */
  readonly origin: RunRow;
  readonly body: Body;
}

export class LaterUpdates {
  readonly #ledger: Pick<Ledger, 'first'>;
  readonly #run: string;
  readonly #ofCompany = new Map<string, UpdateThere[]>();

  /** @param run  the run that the rows are in now */
  constructor(ledger: Pick<Ledger, 'first'>, run: string) {
    this.#ledger = ledger;
    this.#run = run;
  }

  /**
   * Goes through the sheets that give a company other values than before: in most there are none.
   * @param isThere  whether an update is in, or may be
   */
  async look(sheets: readonly SurveyedSheet[], isThere: (row: JudgedRow) => boolean): Promise<void> {
    for (const { contradicted, judgedRows } of sheets) {
      if (contradicted.size === 0) continue;
      for await (const row of judgedRows()) {
        const { pathId, body } = row;
        if (pathId === null || !contradicted.has(pathId) || !isThere(row)) continue;
        const known = this.#ofCompany.get(pathId) ?? [];
        this.#ofCompany.set(pathId, known);
        known.push({ origin: this.#originOf(row), body });
      }
    }
  }

  rivalOf(row: JudgedRow): Rival | null {
    const known = this.#ofCompany.get(row.pathId ?? '');
    if (known === undefined) return null;
    const origin = this.#originOf(row);
    const later = known
      .filter((one) => one.origin.run === origin.run && one.origin.sheet === origin.sheet)
      .filter((one) => one.origin.row > origin.row)
      .sort((one, other) => other.origin.row - one.origin.row);
    for (const name in row.body) {
      const last = later.find(({ body }) => body[name] !== undefined);
      if (last === undefined || JSON.stringify(last.body[name]) === JSON.stringify(row.body[name])) continue;
      const label = fieldsOf(row.kind).find(({ segments }) => segments[0] === name)?.label ?? name;
      return { row: last.origin.row, label };
    }
    return null;
  }

  #originOf({ standing, sheet, row }: JudgedRow): RunRow {
    return standing.earlier === null ? { run: this.#run, sheet, row } : this.#ledger.first(standing.earlier.row);
  }
}
