/** What makes a sum of an export less than it seems: values that are no amounts, and amounts of several currencies. */
import type { OutputValue } from '../../sheets/sheet-writer.ts';
import type { ExportColumn, ExportRow } from '../../workbooks/export-column.ts';

const mostCurrencies = 20;
const longestShown = 40;

interface NoAmounts {
  readonly column: number;
  readonly label: string;
  count: number;
  first: string;
}

interface Currencies {
  readonly column: number;
  readonly label: string;
  readonly found: Set<string>;
}

export class SumDoubts {
  readonly #noAmounts: readonly NoAmounts[];
  readonly #currencies: readonly Currencies[];

  constructor(columns: readonly ExportColumn[]) {
    const numbered = columns.map((column, index) => ({ ...column, column: index }));
    this.#noAmounts = numbered
      .filter(({ isSummed, holdsTexts }) => isSummed && holdsTexts)
      .map(({ column, label }) => ({ column, label, count: 0, first: '' }));
    const hasSums = columns.some(({ isSummed }) => isSummed);
    this.#currencies = numbered
      .filter(({ label, look }) => hasSums && look === 'text' && namesCurrency.test(label))
      .map(({ column, label }) => ({ column, label, found: new Set() }));
  }

  look(row: ExportRow): void {
    for (const each of this.#noAmounts) {
      const value = row[each.column] ?? null;
      if (!isNoAmount(value)) continue;
      if (each.count === 0) each.first = Buffer.from(value.slice(0, longestShown)).toString();
      each.count += 1;
    }
    for (const { column, found } of this.#currencies) {
      const value = row[column];
      const isNew = typeof value === 'string' && value.trim() !== '' && !found.has(value.trim());
      if (isNew && found.size < mostCurrencies) found.add(Buffer.from(value.trim()).toString());
    }
  }

  notices(): readonly string[] {
    return [
      ...this.#noAmounts.flatMap(({ label, count, first }) =>
        count === 0
          ? []
          : [`${count} of the values of ${label} are no amounts, the first of them "${first}": they are in no sum.`],
      ),
      ...this.#currencies.flatMap(({ label, found }) =>
        found.size < 2
          ? []
          : [
              `${label} has several currencies (${[...found].sort().join(', ')}), and the sums add their amounts as they stand. --group-by "${label}" sums each by itself.`,
            ],
      ),
    ];
  }
}

const namesCurrency = /\bcurrency(?: code)?$/i;

function isNoAmount(value: OutputValue): value is string {
  return typeof value === 'string' && value.trim() !== '' && !/^-?\d+(?:\.\d+)?$/.test(value);
}
