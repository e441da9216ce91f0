/**
 * Rows that say again what an earlier row of the source has said: the same row, or the same company. Both may be meant, so
 * they are warnings.
 */
import { fieldsOf, type PathSegment } from '../contract/fields.ts';
import { valueAt } from '../mapping/body.ts';
import type { CheckedRow } from '../mapping/checked-row.ts';
import type { RowProblem } from '../mapping/row-problem.ts';
import { Digester, FirstRows } from './first-rows.ts';
import type { PlannedSheet } from './source-plan.ts';

/** What tells a company from others, in a record of its own and in one that brings its company along. */
const companyPaths = ['name', 'ein', 'emails[0].email'];
const prefixes = ['', 'company.'];

export type DuplicateFinder = (row: CheckedRow) => RowProblem[];

export class Duplicates {
  readonly #first = new FirstRows();
  readonly #sheets: string[] = [];

  /**
   * Makes the function that finds what a row of one sheet says again. Rows are told of the first one that said it, however
   * often they are looked at.
   */
  finderOf(sheet: PlannedSheet): DuplicateFinder {
    const { kind } = sheet;
    if (kind.sending === 'update') return () => [];
    const place = this.#sheets.push(sheet.name) - 1;
    const facts = companyFactsOf(sheet);
    return (row) => {
      // A cell that could not be read is missing from the record, which may then be equal to others by that alone.
      if (!row.isValid) return [];
      const twin = this.#earlier(
        new Digester()
          .text(kind.name)
          .text(row.pathId ?? '')
          .value(row.body),
        place,
        row.row,
      );
      if (twin !== null) return [equalRow(twin)];
      return facts.flatMap(({ path, segments, label, column }) => {
        const value = valueAt(row.body, segments);
        if (typeof value !== 'string' || value === '') return [];
        const digest = new Digester().text(kind.name).text(path).text(value.trim().toLowerCase());
        const first = this.#earlier(digest, place, row.row);
        return first === null ? [] : [sameCompany(label, column, first, kind.name === 'companies')];
      });
    };
  }

  /** Where an earlier row said the same, in words, or `null`. */
  #earlier(digest: Digester, sheet: number, row: number): string | null {
    const first = this.#first.firstOf(digest, sheet, row);
    if (first.sheet === sheet && first.row === row) return null;
    return first.sheet === sheet ? `row ${first.row}` : `${this.#sheets[first.sheet]} row ${first.row}`;
  }
}

interface CompanyFact {
  readonly path: string;
  readonly segments: readonly PathSegment[];
  readonly label: string;
  readonly column: number;
}

function companyFactsOf({ kind, columns }: PlannedSheet): readonly CompanyFact[] {
  const wanted = new Set(prefixes.flatMap((prefix) => companyPaths.map((path) => `${prefix}${path}`)));
  const fields = fieldsOf(kind).filter(({ path, place }) => place === 'body' && wanted.has(path));
  return fields.flatMap(({ path, segments, label }) => {
    const column = columns.find((candidate) => candidate.use === 'field' && candidate.field.path === path);
    return column === undefined ? [] : [{ path, segments, label, column: column.index }];
  });
}

function equalRow(first: string): RowProblem {
  const message = `The row is equal to ${first}. Both are sent: take one out if it is there by mistake.`;
  return { severity: 'warning', column: null, label: null, message };
}

function sameCompany(label: string, column: number, first: string, isCompany: boolean): RowProblem {
  const what = isCompany
    ? 'two companies will be made. Take one out if they are the same'
    : 'a company will be made for each. Name one company by its Company ref or id if they are the same';
  return { severity: 'warning', column, label, message: `${label} is the same as in ${first}: ${what}.` };
}
