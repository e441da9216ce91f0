/** Finds rows that are no records: totals, and the example row of a template. */

import { valueAt } from '../contract/body-path.ts';
import { fieldsOf, templateFieldsOf } from '../contract/fields.ts';
import type { CheckedRow } from '../mapping/body.ts';
import { type Column, isAmount, isDate } from '../mapping/column.ts';
import { faultOfHashes, isBlank, trimmedText } from '../mapping/reading.ts';
import { looksLikeAmount } from '../mapping/values/amounts.ts';
import { shownValue } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';
import { type Cell, cellAt, type SheetRow } from '../tables/row.ts';
import { type Check, found } from './check.ts';

/** If sent, a total would be a payment that never happened. */
export const totalRow: Check = {
  codes: ['total-row', 'total-like'],
  begin({ kind, columns, header, ownColumns }) {
    const parents = kind.references.flatMap(({ column, fills }) => (fills.includes('.') ? [] : [column, fills]));
    const hasParents = parents.length > 0;
    const placesOf = (isOne: (column: Column) => boolean) => columns.filter(isOne).flatMap(({ origins }) => origins);
    const ofParents = placesOf((column) => parents.includes(column.path));
    const ofDates = placesOf(isDate);
    const ofWords = placesOf((column) => !isAmount(column));
    // The total row of an Excel table counts the words of a column.
    const isCount = (cell: Cell, { number }: SheetRow) => Number(trimmedText(cell)) <= number - header.number;
    const countsWords = (row: SheetRow, label: number) =>
      ofWords.every((at) => (at > label ? isCount(cellAt(row, at), row) : isBlank(cellAt(row, at)) || at === label));
    const isOfTable = (column: number) => column >= ownColumns && column < header.headers.length;
    let above: SheetRow | undefined;
    return {
      *row({ isValid }, source) {
        const row = withoutNames(source, above, isOfTable);
        const begins = row.values.findIndex(beginsAsTotal);
        if (begins === -1) above = source;
        if (begins === -1) return;
        const whole = row.values.findIndex(isTotalLabel);
        const column = whole === -1 ? begins : whole;
        const at = { column, label: null };
        const label = shownValue(String(source.values[column]).trim());
        // A total label in place of an id or a day names neither.
        const isSilent = (column: number) => isBlank(cellAt(row, column)) || beginsAsTotal(cellAt(row, column));
        const [namesNoParent, namesNoDay, saysNoWord] = [ofParents, ofDates, ofWords].map((of) => of.every(isSilent));
        // Without a parent to name, a row may be a record by the name of Total, unless it has figures and nothing else.
        const isOther = (cell: Cell) => !isBlank(cell) && !beginsAsTotal(cell);
        const others = row.values.filter(isOther);
        const hasFigures = others.length > 0 && others.every(isFigure);
        const isNoRecord = hasParents || (hasFigures && (saysNoWord ? !isValid : countsWords(row, at.column)));
        if (whole !== -1 && namesNoParent && namesNoDay && isNoRecord)
          yield found(messageOf('total-row', { label, isPart: hasParents }), at);
        else if (whole !== -1 || (hasParents ? namesNoParent || namesNoDay : hasFigures && countsWords(row, column)))
          yield found(messageOf('total-like', { label, singular: kind.singular, isIn: false }), at);
      },
    };
  },
};

/** The cells of the table. Excel's Subtotal writes `D-1 Total` below the rows of `D-1`. */
function withoutNames(row: SheetRow, above: SheetRow | undefined, isOfTable: (column: number) => boolean): SheetRow {
  const bare = (cell: Cell, column: number) => {
    if (!isOfTable(column)) return null;
    if (typeof cell !== 'string' || !mayBeLabel.test(cell)) return cell;
    const name = trimmedText(above && cellAt(above, column));
    return cell.startsWith(`${name} `) ? cell.slice(name.length) : cell;
  };
  return { ...row, values: row.values.map(bare) };
}

/** Also what a spreadsheet shows in place of a figure. */
function isFigure(cell: Cell): boolean {
  if (typeof cell === 'string') return looksLikeAmount(cell) || faultOfHashes(cell.trim()) !== null;
  return cell !== null && ['number', 'formula-without-value', 'error'].includes(cell.kind);
}

/** The label of a total, as people and programs write it. */
const totals = String.raw`(?:(?:grand|running|overall)\s+)?(?:sub[\s-]?)?totals?|sum`;
/** A fast first test, because an expression with all letters takes 20 times as long for each text. */
const mayBeLabel = /tot|sum/i;
const labelTest = (form: string) => {
  const label = new RegExp(form, 'iu');
  return (cell: unknown) => typeof cell === 'string' && mayBeLabel.test(cell) && label.test(cell);
};
/** `Total`, `GRAND TOTAL:`, `Sub-total`, and nothing else. */
export const isTotalLabel = labelTest(String.raw`^[^\p{L}\d]*(?:${totals})[^\p{L}\d]*$`);
/** `Total of October`, and whole labels. */
const beginsAsTotal = labelTest(String.raw`^[^\p{L}\d]*(?:${totals})(?![\p{L}\d])`);

/** The heading of a group, a footer, the rest of the row above. Where a kind has more rules, such a row breaks them. */
export const loneValue: Check = {
  codes: ['lone-value'],
  begin({ kind, columns }) {
    const sent = [...new Set(columns.flatMap(({ origins }) => origins))];
    return {
      *row({ isValid }, row) {
        const [column, ...others] = isValid && sent.length > 2 ? sent.filter((at) => !isBlank(cellAt(row, at))) : [];
        if (column === undefined || others.length > 0) return;
        yield found(messageOf('lone-value', { singular: kind.singular }), { column, label: null });
      },
    };
  },
};

/** This many equal values, or all of a shorter example, are no coincidence. A person's own row may have fewer, such as `In review`. */
const fewestForCertain = 5;
const fewestForNote = 3;

/** The example passes every rule, and would create a record of an invented company. */
export const exampleRow: Check = {
  codes: ['example-row', 'example-like'],
  begin({ kind }) {
    const fields = fieldsOf(kind);
    const exampleOf = new Map(fields.map(({ path, facts }) => [path, facts.example]));
    const isShown = (path: string) => path !== 'ref' && kind.references.every(({ fills }) => fills !== path);
    const whole = templateFieldsOf(kind, 'common').filter(({ path }) => isShown(path)).length;
    /** The number of values if all equal the example's, else 0. The first value already decides most rows. */
    const equalValues = ({ body, references }: CheckedRow): number => {
      if (references.some(({ reference, ref }) => exampleOf.get(reference.column) !== ref)) return 0;
      let equal = references.length;
      for (const { path, segments, place, facts } of fields) {
        const value = place === 'body' ? valueAt(body, segments) : undefined;
        // A Ref fills the place of the id.
        if (value === undefined || references.some(({ reference }) => reference.fills === path)) continue;
        const text = Array.isArray(value) ? value.join('; ') : value;
        if (text !== facts.example && value !== Number(facts.example)) return 0;
        equal += 1;
      }
      return equal;
    };
    return {
      *row(row) {
        const equal = equalValues(row);
        const isWhole = equal === whole && row.references.length === kind.references.length;
        if (isWhole || equal >= fewestForCertain) yield found(messageOf('example-row'));
        else if (equal >= fewestForNote) yield found(messageOf('example-like'));
      },
    };
  },
};
