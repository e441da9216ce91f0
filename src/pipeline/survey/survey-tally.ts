/** Counts what the first reading finds in one sheet: rows, errors, sums, and a few bytes about each row. */
import Big from 'big.js';
import { fieldsOf } from '../../contract/fields.ts';
import { type FindingGroup, FindingGroups } from '../../mapping/finding-groups.ts';
import { isError } from '../../messages/finding.ts';
import { traitsOf } from '../../messages/traits.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import { earlierFingerprintOf } from '../rows/held-rows.ts';
import type { MatchedSheet } from '../source/matched-sheet.ts';
import type { Claim, Saying } from './claims.ts';
import { amountOf, type JudgedRow } from './judged-row.ts';
import { type FilesFound, NamedFiles } from './named-files.ts';
import { Repeats, type RepeatsFound } from './repeats.ts';
import { RowFacts } from './row-facts.ts';

/** What is known of a sheet once all of its rows were judged. */
export interface Tally {
  readonly rows: number;
  readonly invalidRows: number;
  /** Rows that a check leaves out: they are in no sum but their own. */
  readonly leftOutRows: number;
  readonly warnedRows: number;
  /** The most cells that a row has, trailing blanks left out. */
  readonly mostCells: number;
  /** Rows that a results sheet says are in, or in doubt: they stay as they are. */
  readonly heldRows: number;
  readonly claims: readonly Claim[];
  /** Fields that updates empty with `<clear>`, of the rows alone that pass the checks and are not held. */
  readonly clears: number;
  /** The exact sum of the kind's amount over all rows that have a readable one, or `null` for a kind without amounts. */
  readonly amount: string | null;
  /** The same of the rows alone that pass the checks and are not held. */
  readonly sendableAmount: string | null;
  /** Rows that pass the checks and say the same as an earlier one. */
  readonly repeats: RepeatsFound;
  /** The files of rows that pass the checks and are not held. */
  readonly files: FilesFound;
  /** Rows that have no readable amount, of a kind with amounts: they are in no sum. */
  readonly unreadableAmounts: number;
  /** How many rows have an error, by the label of the field. */
  readonly problems: ReadonlyMap<string, number>;
  /** Rows whose amount is wrong: it stands in no sum, or is none that can be sent. */
  readonly wrongAmounts: number;
  /** All that was found in its rows. */
  readonly findings: readonly FindingGroup[];
  /** What a person is to see of the rows to send before they are sent. */
  readonly toldBefore: readonly FindingGroup[];
  /** What was found out about each row. */
  readonly facts: RowFacts;
}

export class SurveyTally {
  #rows = 0;
  #invalidRows = 0;
  #leftOutRows = 0;
  #warnedRows = 0;
  #mostCells = 0;
  #heldRows = 0;
  #clears = 0;
  #unreadableAmounts = 0;
  #amount: Big | null;
  readonly #amountLabel: string | null;
  #sendable = new Big(0);
  readonly #repeats = new Repeats();
  readonly #files = new NamedFiles();
  readonly #claims: Claim[] = [];
  readonly #problems = new Map<string, number>();
  readonly #findings = new FindingGroups();
  readonly #toldBefore = new FindingGroups();
  readonly #facts = new RowFacts();
  readonly #saying: Saying;

  constructor({ kind }: MatchedSheet, saying: Saying) {
    this.#saying = saying;
    this.#amountLabel = fieldsOf(kind).find(({ path }) => path === kind.amount)?.label ?? null;
    this.#amount = kind.amount === null ? null : new Big(0);
  }

  add(row: JudgedRow, source: SheetRow): void {
    this.#rows += 1;
    if (row.standing.kind === 'held') this.#heldRows += 1;
    const claimed = earlierFingerprintOf(row.standing);
    if (claimed !== null) this.#claims.push({ fingerprint: claimed.toString('hex'), says: this.#saying(row) });
    this.#findings.add(row, row.problems);
    if (row.isLeftOut) {
      this.#leftOutRows += 1;
      this.#toldBefore.add(row, row.problems);
    } else if (!row.isValid) {
      this.#invalidRows += 1;
      this.#addProblems(row);
    }
    if (row.isValid && row.problems.length > 0) {
      this.#warnedRows += 1;
      this.#toldBefore.add(
        row,
        row.problems.filter((finding) => traitsOf(finding).toldBefore === true),
      );
    }
    this.#mostCells = Math.max(this.#mostCells, source.cells.length);
    const amount = amountOf(row);
    const isNew = row.standing.kind === 'free' && row.standing.earlier === null;
    const isPlain = row.isValid && row.problems.length === 0 && isNew;
    this.#facts.add(row.row, { isPlain, amount });
    const isSendable = row.isValid && row.standing.kind !== 'held';
    if (isSendable) {
      this.#repeats.add(row);
      this.#files.add(row);
      this.#clears += row.clears;
    }
    if (this.#amount === null || row.isLeftOut) return;
    if (amount === null) this.#unreadableAmounts += 1;
    else {
      this.#amount = this.#amount.plus(amount);
      if (isSendable) this.#sendable = this.#sendable.plus(amount);
    }
  }

  get result(): Tally {
    return {
      rows: this.#rows,
      invalidRows: this.#invalidRows,
      leftOutRows: this.#leftOutRows,
      warnedRows: this.#warnedRows,
      mostCells: this.#mostCells,
      heldRows: this.#heldRows,
      claims: this.#claims,
      clears: this.#clears,
      amount: this.#amount?.toFixed() ?? null,
      sendableAmount: this.#amount === null ? null : this.#sendable.toFixed(),
      repeats: this.#repeats.found,
      files: this.#files.found,
      unreadableAmounts: this.#unreadableAmounts,
      problems: this.#problems,
      wrongAmounts: this.#amountLabel === null ? 0 : (this.#problems.get(this.#amountLabel) ?? 0),
      findings: this.#findings.found,
      toldBefore: this.#toldBefore.found,
      facts: this.#facts,
    };
  }

  #addProblems(row: JudgedRow): void {
    const errors = row.problems.filter(isError);
    const labels = new Set(errors.map(({ label }) => label ?? 'the row'));
    for (const label of labels) this.#problems.set(label, (this.#problems.get(label) ?? 0) + 1);
  }
}
