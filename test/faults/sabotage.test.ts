/** Tests the tests of this folder: each breaks one promise in a copy of the sources, and the test of that promise must fail. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mayTrace } from '../builders/tools.ts';
import { root } from '../builders/workplace.ts';

interface Sabotage {
  readonly what: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly sound: string;
  readonly broken: string;
  readonly tests: string;
  /** Of those tests, the ones with this in their names. */
  readonly named: string;
}

const isLong = process.env.DEALSHEET_LONG === '1';

const all: readonly Sabotage[] = [
  {
    what: 'the intent is not written before the request',
    file: 'load/load.ts',
    sound: 'await run.intend(intents);',
    broken: '(setTimeout(() => run.intend(intents).catch(() => {}), 1), new Set(rows.map(({ id }) => id)));',
    tests: 'test/faults/kill-each-kind',
    named: 'deals, intent-before-commit',
  },
  {
    what: 'a create is sent again after its connection was reset',
    file: 'service/conversation.ts',
    sound: "return call.isRepeatable ? failed(fault, true) : over('unknown', fault);",
    broken: 'return failed(fault, true);',
    tests: 'test/faults/doubt',
    named: 'companies, reset-after',
  },
  {
    what: 'the intent is written, and the request does not wait for it',
    file: 'load/load.ts',
    sound: 'await run.intend(intents);',
    broken: '(run.intend(intents), new Set(rows.map(({ id }) => id)));',
    tests: 'test/faults/intent-before-request',
    named: 'however slow the disk is',
  },
  {
    what: 'a commit is not synced',
    file: 'ledger/ledger-database.ts',
    sound: "db.exec('PRAGMA synchronous = FULL');",
    broken: "db.exec('PRAGMA synchronous = NORMAL');",
    tests: 'test/faults/intent-before-request',
    named: 'synced to the disk',
  },
  {
    what: 'the lock of the service is not asked for',
    file: 'disk/locked-file.ts',
    sound: "db.exec('BEGIN EXCLUSIVE');",
    broken: "db.exec('BEGIN');",
    tests: 'test/faults/signals',
    named: 'refuses a second load',
  },
];
/** Each builds the command line anew: the short form is content with the first two. */
const sabotages = isLong ? all : all.slice(0, 2);

let copy: string;

beforeEach(() => {
  copy = mkdtempSync(join(root, 'node_modules', '.sabotage-'));
  for (const name of ['src', 'dist', 'licenses', 'package.json', 'tsconfig.json', 'rolldown.config.ts']) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
});
afterEach(() => rmSync(copy, { recursive: true, force: true }));

function buildCommandLine(): void {
  const words = [join(root, 'node_modules', 'rolldown', 'bin', 'cli.mjs'), '--config', '--log-level', 'silent'];
  const built = spawnSync(process.execPath, words, { cwd: copy, encoding: 'utf8' });
  expect(built.status, built.stderr).toBe(0);
}

function runTests(tests: readonly string[], named: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const env = { ...process.env, DEALSHEET_TEST_BUILD: join(copy, 'dist'), NO_COLOR: '1' };
    const child = spawn(process.execPath, [vitest, 'run', ...tests, '-t', named], { cwd: root, env });
    let output = '';
    const take = (chunk: Buffer) => {
      output += chunk.toString('utf8');
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('close', (code) => resolve({ code, output }));
  });
}

describe.skipIf(!mayTrace())('a build in which', () => {
  it.each(sabotages.map((sabotage) => [sabotage.what, sabotage] as const))('%s is caught', async (_what, sabotage) => {
    const path = join(copy, 'src', sabotage.file);
    const pieces = readFileSync(path, 'utf8').split(sabotage.sound);
    expect(pieces, `${sabotage.sound} stands in ${sabotage.file} once`).toHaveLength(2);
    writeFileSync(path, pieces.join(sabotage.broken));
    buildCommandLine();
    const { code, output } = await runTests([sabotage.tests], sabotage.named);
    expect(output, 'the chosen tests ran').toMatch(/Tests {2}\d+ failed/);
    expect(code).toBe(1);
  });

  it.skipIf(!isLong)('nothing is broken passes the same tests', async () => {
    const tests = [...new Set(sabotages.map((sabotage) => sabotage.tests))];
    const { code, output } = await runTests(tests, `(${sabotages.map(({ named }) => named).join('|')})`);
    expect(code, output).toBe(0);
    expect(output, 'of each file').toMatch(new RegExp(`Test Files {2}${tests.length} passed`));
  });
});
