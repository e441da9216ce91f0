/** A Summary, the first sheet of a workbook: a title, facts, tables, and what a person should know. */
import type { OutputCell, OutputSheet, SheetWriter, StyleName } from '../sheets/sheet-writer.ts';

/** The name of the sheet; one of the person's own with that name keeps it, and ours gives way. */
export const summarySheetName = 'Summary';

export class SummaryPage {
  readonly #output: OutputSheet;
  /** The last row that was written, from 1. */
  row = 0;

  private constructor(output: OutputSheet) {
    this.#output = output;
  }

  static async begin(
    writer: SheetWriter,
    sheet: {
      readonly name: string;
      readonly title: string;
      readonly widths: readonly number[];
    },
    facts: readonly (readonly [name: string, value: OutputCell])[],
  ): Promise<SummaryPage> {
    const { name, title, widths } = sheet;
    const page = new SummaryPage(
      await writer.addSheet({
        name,
        columns: widths.map((width) => ({ width })),
        frozenRows: 0,
        frozenColumns: 0,
        filterRow: null,
        place: 'first',
      }),
    );
    await page.add(styled(title, 'title'));
    await page.add();
    for (const [fact, value] of facts) await page.add(styled(fact, 'total'), value);
    return page;
  }

  async add(...cells: OutputCell[]): Promise<void> {
    this.row += 1;
    await this.#output.addRow(cells);
  }

  /** @param wordColumns  how many columns say what a row is of; all others hold numbers, which stand at the right */
  async beginTable(title: string | null, headers: readonly string[], wordColumns: number): Promise<void> {
    await this.add();
    if (title !== null) await this.add(styled(title, 'title'));
    await this.add(...headers.map((name, index) => styled(name, index < wordColumns ? 'header' : 'header-right')));
  }

  /** Whole sentences at the end of the page. */
  async addNotices(notices: readonly string[]): Promise<void> {
    if (notices.length === 0) return;
    await this.add();
    await this.add(styled('To know', 'title'));
    for (const notice of notices) await this.add(notice);
  }
}

export function styled(text: string, style: StyleName): OutputCell {
  return { value: text, style };
}

export function integer(count: number): OutputCell {
  return { value: count, style: 'integer' };
}

const moreThanCents = /\.\d{3}/;

/** Rounded to the cent in sight alone, sums would seem not to tie. */
export function money(digits: string): OutputCell {
  return { value: { digits }, style: moreThanCents.test(digits) ? 'money-exact' : 'money' };
}
