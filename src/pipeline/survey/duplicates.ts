/**
 * Rows that say again what an earlier row of the source has said: the same row, or the same company; and updates that say
 * otherwise of one company than an earlier one. Both may be meant, so they are warnings.
 */
import { fieldsOf, type PathSegment } from '../../contract/fields.ts';
import { valueAt } from '../../mapping/body.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { memberOfColumn } from '../../mapping/column.ts';
import { asSaid } from '../../messages/as-said.ts';
import { type Finding, findingOf } from '../../messages/finding.ts';
import { fieldColumnOf, type MatchedSheet, originOf } from '../source/matched-sheet.ts';
import { Digester } from './digester.ts';
import { FirstRows } from './first-rows.ts';

/** What tells a company from others, in a record of its own and in one that brings its company along. */
const companyPaths = ['name', 'ein', 'emails[0].email'];
const prefixes = ['', 'company.'];

/** Rows that are remembered as repeating another; of those beyond, nothing is told. */
const mostRepeating = 200_000;

/** Finds what the rows of one sheet say again. */
export interface DuplicateFinder {
  /** Looks at a row, once in each reading, in their order. */
  look(row: CheckedRow): void;
  /** What a row that was looked at says again, of the first row that said it. */
  problemsOf(row: CheckedRow): readonly Finding[];
  /** Of a row that is equal to an earlier one as a whole, where that stands, in words; else `null`. */
  twinOf(row: CheckedRow): string | null;
  /** The companies to which updates of the sheet give other values than an earlier one. */
  readonly contradicted: ReadonlySet<string>;
  /** Before the rows are looked at anew. */
  forget(): void;
}

export class Duplicates {
  readonly #first = new FirstRows();
  readonly #sheets: string[] = [];

  finderOf(sheet: MatchedSheet): DuplicateFinder {
    const place = this.#sheets.push(sheet.name) - 1;
    const facts = companyFactsOf(sheet);
    const isUpdate = sheet.kind.sending === 'update';
    const found = new Map<number, SaidAgain>();
    const contradicted = new Set<string>();
    return {
      look: (row) => {
        // A cell that could not be read is missing from the record, which may then be equal to others by that alone.
        if (!row.isValid || found.size >= mostRepeating) return;
        const repetition = isUpdate ? this.#contradictedBy(row, place, sheet) : this.#repeatedBy(row, place, facts);
        if (repetition.problems.length === 0) return;
        found.set(row.row, repetition);
        if (isUpdate && row.pathId !== null) contradicted.add(row.pathId);
      },
      problemsOf: ({ row }) => found.get(row)?.problems ?? [],
      twinOf: ({ row }) => found.get(row)?.twin ?? null,
      contradicted,
      forget: () => {
        found.clear();
        contradicted.clear();
      },
    };
  }

  /** Once every row was looked at, what was found is enough: the 21 MB of a million rows are of use to those that send them. */
  forgetFirsts(): void {
    this.#first.clear();
  }

  #repeatedBy(row: CheckedRow, place: number, facts: readonly CompanyFact[]): SaidAgain {
    const { name } = row.kind;
    const whole = new Digester()
      .text(name)
      .text(row.pathId ?? '')
      .value(row.body);
    const twin = this.#earlier(whole, place, row.row);
    if (twin !== null) return { twin, problems: [equalRow(twin)] };
    const problems: Finding[] = [];
    for (const { path, segments, label, column } of facts) {
      const value = valueAt(row.body, segments);
      if (typeof value !== 'string' || value === '') continue;
      const digest = new Digester().text(name).text(path).text(value.trim().toLowerCase());
      const first = this.#earlier(digest, place, row.row);
      if (first !== null) problems.push(sameCompany(label, column, first, name === 'companies'));
    }
    return { twin: null, problems };
  }

  /** An update gives fields of a company their values, whatever an earlier row gave them. */
  #contradictedBy({ kind, pathId, body, row }: CheckedRow, place: number, sheet: MatchedSheet): SaidAgain {
    const problems: Finding[] = [];
    for (const name in body) {
      const ofField = () => new Digester().text(kind.name).text(`${pathId}`).text(name);
      const first = this.#earlier(ofField(), place, row);
      const same = this.#earlier(ofField().value(body[name]), place, row);
      // What is not remembered any more would look as if nobody had said it.
      if (first !== null && first !== same && !this.#first.isFull) problems.push(otherValue(sheet, name, first));
    }
    return { twin: null, problems };
  }

  /** Where an earlier row said the same, in words, or `null`. */
  #earlier(digest: Digester, sheet: number, row: number): string | null {
    const first = this.#first.firstOf(digest, sheet, row);
    if (first.sheet === sheet && first.row === row) return null;
    return first.sheet === sheet ? `row ${first.row}` : `${this.#sheets[first.sheet]} row ${first.row}`;
  }
}

/** What a row says again. */
interface SaidAgain {
  readonly twin: string | null;
  readonly problems: readonly Finding[];
}

interface CompanyFact {
  readonly path: string;
  readonly segments: readonly PathSegment[];
  readonly label: string;
  readonly column: number | null;
}

function companyFactsOf(sheet: MatchedSheet): readonly CompanyFact[] {
  const wanted = new Set(prefixes.flatMap((prefix) => companyPaths.map((path) => `${prefix}${path}`)));
  const fields = fieldsOf(sheet.kind).filter(({ path, place }) => place === 'body' && wanted.has(path));
  return fields.flatMap(({ path, segments, label }) => {
    const column = fieldColumnOf(sheet, path);
    return column === null ? [] : [{ path, segments, label, column: originOf(sheet, column) }];
  });
}

function equalRow(first: string): Finding {
  const message = `The row is equal to ${first}. Both are sent: take one out if it is there by mistake.`;
  return findingOf('warning', asSaid(message, message, 'as-said-sent'));
}

function otherValue(sheet: MatchedSheet, name: string, first: string): Finding {
  const found = sheet.columns.find((column) => column.use !== 'ignored' && memberOfColumn(column) === name);
  const label = found?.use === 'field' ? found.field.label : name;
  const column = found === undefined ? null : originOf(sheet, found);
  // A results sheet may have been sorted since.
  const later =
    sheet.ownColumns > 0 ? 'what the row says stands that came later in the source' : 'what the later row says stands';
  const message = `${label} is another than in ${first}, for the same company: ${later}. Take one out if it is there by mistake.`;
  const reason = `${label} is another than in an earlier row for the same company.`;
  return findingOf('warning', asSaid(message, reason), { column, label });
}

function sameCompany(label: string, column: number | null, first: string, isCompany: boolean): Finding {
  const what = isCompany
    ? 'two companies will be made. Take one out if they are the same'
    : 'a company will be made for each. Name one company by its Company ref or id if they are the same';
  const message = `${label} is the same as in ${first}: ${what}.`;
  const reason = `${label} is the same as in an earlier row.`;
  return findingOf('warning', asSaid(message, reason, 'as-said-sent'), { column, label });
}
