/** The story of `results RUN --only changed`: companies that say something else than when they went in, as updates to load. */
import { resolve } from 'node:path';
import { type Field, fieldsOf } from '../contract/fields.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { ownerOnly } from '../file-modes.ts';
import { entriesOf, type Ledger, type RunRecord } from '../ledger/ledger.ts';
import { cellOf, pathsOf } from '../plan/changed-cells.ts';
import { createSheetWriter } from '../sheets/create-sheet-writer.ts';
import { sourceGone } from './kept-source.ts';
import { type ReadAgainOptions, type ReadSource, readAgain } from './read-again.ts';
import { placeBeside, type WrittenRows } from './wrong-rows.ts';

/** The cells of a company by the paths of their fields. */
interface Update {
  readonly company: string;
  readonly cells: ReadonlyMap<string, string>;
}

const kind = recordKind('company-updates');
const [idField, ...fields] = fieldsOf(kind) as readonly [Field, ...Field[]];
const columnWidth = 24;

/** @throws DealsheetError `unreadable-source` when the source is gone */
export async function writeCompanyUpdates(
  run: RunRecord,
  ledger: Ledger,
  options: ReadAgainOptions & { readonly path: string | null },
): Promise<readonly WrittenRows[]> {
  const updates = await readAgain(run, ledger, options, (source) => updatesOf(source, run, ledger));
  if (updates === null) throw sourceGone(run);
  if (updates.length === 0) return [];
  const named = fields.filter(({ path }) => updates.some(({ cells }) => cells.has(path)));
  const meant = options.path === null ? placeBeside(run, 'updates') : resolve(options.path);
  const writer = await createSheetWriter(meant, {
    mode: ownerOnly,
    compression: 1,
    properties: {},
    mayReplace: async () => false,
  });
  try {
    const columns = [idField, ...named];
    const sheet = await writer.addSheet({
      name: kind.sheet,
      columns: columns.map(() => ({ width: columnWidth })),
      frozenRows: 1,
      frozenColumns: 1,
      filterRow: null,
      place: 'last',
    });
    await sheet.addRow(columns.map(({ label }) => label));
    for (const { company, cells } of updates)
      await sheet.addRow([company, ...named.map(({ path }) => cells.get(path) ?? null)]);
    return [{ path: await writer.finish(), rows: updates.length }];
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

async function updatesOf({ staged, staging }: ReadSource, run: RunRecord, ledger: Ledger): Promise<readonly Update[]> {
  const updates: Update[] = [];
  for await (const { sheet: name, place, kind: of, state, record, message } of entriesOf(ledger, run.id)) {
    const sheet = staged.sheets.find((one) => one.sheet.name === name);
    const row = sheet === undefined ? null : staging.at(sheet.number, place);
    const isChanged = of === 'companies' && state === 'changed-since-loaded' && record !== null;
    if (!isChanged || sheet === undefined || row === null) continue;
    const [source] = staging.cellsOfRows([row]);
    if (source === undefined) continue;
    const changed = pathsOf(message);
    const cells = new Map<string, string>();
    for (const { path, clearable } of fields) {
      const isAskedFor = changed.includes(path);
      // The service takes a list as a whole: a part that stays is sent beside the one that has changed.
      if (!isAskedFor && !changed.some((one) => listOf(one) !== null && listOf(one) === listOf(path))) continue;
      const { text } = cellOf(sheet.sheet, source, path);
      if (text !== '') cells.set(path, text);
      else if (isAskedFor && clearable && listOf(path) === null) cells.set(path, '<clear>');
    }
    if (cells.size > 0) updates.push({ company: record, cells });
  }
  return updates;
}

/** The list that a field is in, or `null`. */
function listOf(path: string): string | null {
  return /^([^[]*)\[/.exec(path)?.[1] ?? null;
}
