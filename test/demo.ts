/**
 * `npm run demo`: loads the sample month into a sandbox of its own and compares what became of every row with what is
 * expected. It ends with 0 when they are the same.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RowStatus, rowStates } from '../src/contract/row-state.ts';
import { openLedger } from '../src/ledger/open-ledger.ts';

interface ExpectedRow {
  readonly sheet: string;
  readonly row: number;
  readonly status: RowStatus;
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'fixtures', 'monthly-load.xlsx');
const expectation = join(root, 'fixtures', 'monthly-load.expected.json');
const folder = join(root, 'demo');
const ledgerPath = join(folder, 'ledger.db');
const results = join(folder, 'monthly-load.results.xlsx');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
say(`Loading ${relative(process.cwd(), source)} into a sandbox of its own.\nSome of its rows are wrong on purpose.\n`);
const words = ['import', source, '--sandbox', '--sandbox-data', join(folder, 'sandbox.db'), '--ledger', ledgerPath];
const command = [join(root, 'dist', 'cli', 'main.js'), ...words, '--results', results, '--yes'];
spawnSync(process.execPath, command, { stdio: 'inherit' });
process.exitCode = await compare();

async function compare(): Promise<number> {
  const expected = JSON.parse(readFileSync(expectation, 'utf8')) as readonly ExpectedRow[];
  const differences: string[] = [];
  for (const row of expected) {
    const got = await statusInLedger(row);
    if (got !== row.status)
      differences.push(`  ${row.sheet} row ${row.row}: ${row.status} was expected, and it is ${got}`);
  }
  if (differences.length > 0) {
    say(`\nThe demo did not end as expected:\n${differences.join('\n')}`);
    return 1;
  }
  say(`\nEvery row ended as expected. Open the results workbook to see them:\n  ${relative(process.cwd(), results)}`);
  say('Its links lead to the sandbox once it runs again:');
  say(`  npx dealsheet sandbox --data ${relative(process.cwd(), join(folder, 'sandbox.db'))}`);
  return 0;
}

async function statusInLedger({ sheet, row }: ExpectedRow): Promise<RowStatus | 'none'> {
  const ledger = openLedger(ledgerPath);
  try {
    const [newest] = await ledger.runs();
    const [entry] = newest === undefined ? [] : await ledger.entries(newest.id, sheet, row - 1, 1);
    return entry?.row === row ? rowStates[entry.state].status : 'none';
  } finally {
    await ledger.close();
  }
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
