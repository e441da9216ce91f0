/** The story of `export balances`: ask, keep, learn the columns, write, and say what has changed since last month. */
import type { ServiceClient } from '../service/client.ts';
import { fetchBalances } from './balance-pages.ts';
import type { BalancesOptions, BalancesResult, ExportEvents } from './balances-options.ts';
import { BalancesReport, balancesSheet } from './balances-report.ts';
import { exportTarget, finishExportFile, withExportFile } from './export-file.ts';
import { readPrevious } from './previous-file.ts';
import { RecordShape } from './record-shape.ts';

/** @throws DealsheetError when an option is wrong, or there is no whole file at the end; the one that stood there before then still does */
export async function exportBalances(
  options: BalancesOptions,
  client: ServiceClient,
  events: ExportEvents,
): Promise<BalancesResult> {
  const target = exportTarget(options.output, options.format);
  const previous = options.previous === null ? null : await readPrevious(options.previous, balancesSheet);
  return withExportFile(target, 'balances', async (file, folder) => {
    const shape = new RecordShape();
    const kept = await fetchBalances({
      ...options,
      client,
      folder,
      onRecord: (record) => shape.look(record),
      onPage: events.onPage,
    });
    const report = new BalancesReport(options, events, shape, kept, previous);
    await report.write(file);
    return report.result(await finishExportFile(file, target, options.standardOutput), target.format);
  });
}
