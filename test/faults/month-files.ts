/** The files of a month, and what the service, the ledger and a results sheet say of their rows. */

import { existsSync, readFileSync } from 'node:fs';
import Papa from 'papaparse';
import type { AcceptedEntry } from '../../src/sandbox/store.ts';
import { firstDeal } from '../builders/made-deal.ts';
import { type Table, writeCsv } from '../builders/tables.ts';
import type { Month, MonthRow } from './month-steps.ts';
import { OwnCells, ownColumns } from './own-cells.ts';

const amounts = { Anchor: '100', Bell: '200', Coral: '300', Dune: '400' } as const;
export const noAmount = 'much';

/** How the rows of a kind are written, and found again in what the service was sent. */
const kinds = {
  deals: {
    headers: ['Amount requested', 'Company name', 'Owner last name', 'Company EIN', 'Owner 1 SSN'],
    row: (amount: string, name: string, hasMarks: boolean) => [
      amount,
      'Harbor Bakery',
      name,
      hasMarks ? '12-3456789' : '123456789',
      '219-09-9999',
    ],
    nameOf: (body: { owner1?: { lastName?: string } }) => body.owner1?.lastName,
  },
  transactions: {
    headers: ['Amount', 'Date', 'Reference', 'Deal id'],
    row: (amount: string, name: string) => [amount, '2026-06-30', name, firstDeal],
    nameOf: (body: { reference?: string }) => body.reference,
  },
} as const;

export function sourceOf({ kind, rows }: Month): Table {
  const cells = ({ name, isReadable, hasMarks }: MonthRow) =>
    kinds[kind].row(isReadable ? amounts[name] : noAmount, name, hasMarks);
  return [kinds[kind].headers, ...rows.map(cells)];
}

/** A record that the service has. */
export interface MonthRecord {
  readonly id: string;
  readonly name: string;
}

export function recordsOf(accepted: readonly AcceptedEntry[], kind: Month['kind']): readonly MonthRecord[] {
  return accepted.map(({ id, body }) => ({ id, name: String(kinds[kind].nameOf(JSON.parse(body))) }));
}

/** A row of a results sheet. */
export class SheetRow extends OwnCells {
  get amount(): string {
    return this.cells[6] ?? '';
  }

  set amount(amount: string) {
    this.cells[6] = amount;
  }

  get name(): string {
    return this.cells[8] ?? '';
  }
}

/** The rows of a results sheet; none when it is not there, or holds what the ledger knows alone. */
export function readSheet(path: string): SheetRow[] {
  if (!existsSync(path)) return [];
  const { data } = Papa.parse<string[]>(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''), { skipEmptyLines: true });
  const [headers = [], ...rows] = data;
  return headers.length < ownColumns + fewestHeaders ? [] : rows.map((cells) => new SheetRow(cells));
}

export function writeSheet(path: string, kind: Month['kind'], rows: readonly SheetRow[]): void {
  writeCsv(path, [[...ownHeaders, ...kinds[kind].headers], ...rows.map(({ cells }) => cells)]);
}

const ownHeaders = ['Status', 'Problems', 'ID', 'Link', 'Company ID', 'Run'];
const fewestHeaders = Math.min(...Object.values(kinds).map(({ headers }) => headers.length));

/** What a results sheet says that is not so: whole sentences, none of a truthful sheet. */
export function untruthsOf(
  rows: readonly SheetRow[],
  records: readonly MonthRecord[],
  month: Month,
): readonly string[] {
  const untruths: string[] = [];
  for (const { name, id, isIn, status } of rows) {
    const record = records.find((one) => one.id === id);
    if (isIn && record?.name !== name)
      untruths.push(`${name} is ${status} as ${id}, which is ${record?.name ?? 'nothing'}.`);
  }
  for (const name of new Set(rows.map((row) => row.name))) {
    const ofName = rows.filter((row) => row.name === name);
    const told = ofName.filter(({ isIn }) => isIn).map(({ id }) => id);
    if (new Set(told).size < told.length) untruths.push(`Two rows of ${name} are one record: ${told.join(', ')}.`);
    // Rows that were taken out of a sheet have their records all the same.
    if (ofName.length < month.rows.filter((row) => row.name === name).length) continue;
    const untold = records.filter((record) => record.name === name && !told.includes(record.id)).map(({ id }) => id);
    const doubts = ofName.filter(({ isInDoubt }) => isInDoubt).length;
    if (untold.length > doubts) untruths.push(`${name} has the records ${untold.join(', ')}, which no row tells of.`);
  }
  return untruths;
}

/** Names that the service has more records of than the month has rows. */
export function madeTwice(records: readonly MonthRecord[], { rows }: Month): readonly string[] {
  const count = (all: readonly { readonly name: string }[], wanted: string) =>
    all.filter(({ name }) => name === wanted).length;
  return [...new Set(records.map(({ name }) => name))].filter((name) => count(records, name) > count(rows, name));
}
