/** What a load of a hundred rows costs beside all that its ledger remembers, from ten thousand rows to ten million. */
import { Database } from '../../src/disk/database.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { loadInto, startService } from './end-to-end.ts';
import { type Command, measured, medianCost } from './measured-command.ts';
import { machine } from './race.ts';
import { writeSampleDeals } from './sample-deals.ts';
import { file } from './sample-files.ts';

const sizes = [10_000, Number(process.env.DEALSHEET_ROWS ?? 10_000_000)];
const [rowsOfRun, rows, rounds] = [1_000, 100, 3];

/** @returns the table in Markdown */
export async function scale(): Promise<string> {
  const { url, child } = await startService(0);
  try {
    const lines: string[] = [];
    for (const remembered of sizes) lines.push(await lineOf(remembered, url));
    return [
      `| rows in the ledger | ${rows} new rows | the same file again | \`runs\` |`,
      '|--:|--:|--:|--:|',
      ...lines,
      '',
      `Milliseconds of CPU of the whole command. ${machine()}.`,
    ].join('\n');
  } finally {
    child.kill();
  }
}

async function lineOf(remembered: number, url: string): Promise<string> {
  const name = `of-${remembered}`;
  await fill(file(`ledger-${name}.db`), remembered);
  const months = Array.from({ length: rounds }, (_, round) => file(`${name}-${round}.csv`));
  for (const [round, month] of months.entries()) await writeSampleDeals(month, rows, round * rows + 1);
  const load = (month: string) => loadInto(name, month, `${name}.xlsx`, url);
  const look = () => {
    const { words, ...command } = load('');
    return { ...command, words: [words[0] ?? '', 'runs', '--ledger', file(`ledger-${name}.db`)] };
  };
  const figures = [
    await millisecondsOf(months.map(load)),
    await millisecondsOf(months.map(load)),
    await millisecondsOf(months.map(look)),
  ];
  return `| ${[remembered, ...figures].map((figure) => figure.toLocaleString('en-US')).join(' | ')} |`;
}

async function millisecondsOf(commands: readonly Command[]): Promise<number> {
  const costs = [];
  for (const command of commands) costs.push(await measured(command));
  return Math.round(medianCost(costs).cpuSeconds * 1000);
}

/** As so many loads would have left it, each row with what it says, its Ref and two values that identify it. */
async function fill(path: string, remembered: number): Promise<void> {
  await openLedger(path).close();
  const db = new Database(path);
  const numbers = (to: number) =>
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${Math.ceil(to)})`;
  db.exec('BEGIN');
  db.exec("INSERT INTO services (number, name) VALUES (1, 'elsewhere')");
  db.exec(`${numbers(remembered / rowsOfRun)} INSERT INTO runs SELECT i, 'run-' || i, 1, 'https://service.example',
    'deals.csv', 'deals.csv', 'deals.csv', hex(randomblob(32)), 'deals.results.xlsx', '{}', 'ann', 'desk', 'ended',
    '2026-01-01T00:00:00.000Z', '2026-01-01T00:01:00.000Z' FROM n`);
  db.exec("INSERT INTO sheets SELECT number, number, 'deals' FROM runs");
  const run = `1 + (i - 1) / ${rowsOfRun}`;
  const place = `2 + (i - 1) % ${rowsOfRun}`;
  db.exec(`${numbers(remembered)} INSERT INTO rows SELECT i, 1, 'deals', 'committed', 'created', 1, 1, randomblob(16),
    randomblob(360), 1, 201, 'deal_' || i, NULL, NULL, NULL, ${run}, ${place}, ${run}, NULL, 1 FROM n`);
  db.exec(`INSERT INTO digests SELECT digest, id, ordinal FROM (SELECT content AS digest, id, 0 AS ordinal FROM rows
    UNION ALL SELECT randomblob(16), id, 1 FROM rows UNION ALL SELECT randomblob(16), id, 2 FROM rows
    UNION ALL SELECT randomblob(16), id, 3 FROM rows) ORDER BY digest`);
  db.exec(`INSERT INTO appearances SELECT sheet, place, id, 1, 0, NULL, NULL, NULL FROM rows`);
  db.exec('COMMIT');
  db.close();
}
