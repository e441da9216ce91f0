/** docs/ledger.md: its commands set up a team, for people who own nothing in the database, and keep what it says. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningSandbox } from '../../src/sandbox/server.ts';
import { workplaceHere } from '../builders/command-here.ts';
import { hasPostgres, type Server, startPostgres } from '../builders/postgres.ts';
import { writeManyDeals } from '../builders/tables.ts';
import { environmentOf, main, newWorkplace, root, type Workplace } from '../builders/workplace.ts';
import { startService } from '../faults/loads.ts';

const page = readFileSync(join(root, 'docs', 'ledger.md'), 'utf8');
const password = 'choose-one';
const own = { DEALSHEET_TOKEN: 'sandbox-token', PGPASSWORD: password };

/** The commands of a section, as they are written there. */
function commandsOf(title: string): readonly string[] {
  const [, section = ''] = page.split(`### ${title}\n`);
  return [...(section.split('\n### ')[0] ?? '').matchAll(/^ {4}(\S.*)$/gm)].map(([, line = '']) => line);
}

describe.skipIf(!hasPostgres())('docs/ledger.md', () => {
  let server: Server;
  let service: RunningSandbox;
  let pat: Workplace;
  let kim: Workplace;

  beforeAll(async () => {
    [server, service] = [await startPostgres(), await startService()];
    [pat, kim] = [workplaceHere(), newWorkplace()];
    // Those who load prove who they are.
    const [[file] = []] = await server.query('SHOW hba_file');
    const rules = ['host all loaders all scram-sha-256', 'host all all all trust'].map((rule) => `('${rule}')`);
    await server.query(`COPY (VALUES ${rules}) TO '${String(file)}'`);
    await server.query('SELECT pg_reload_conf()');
    writeManyDeals(pat.path('deals.csv'), 40);
  });
  afterAll(async () => {
    await service.stop();
    await server.remove();
    for (const desk of [pat, kim]) desk.remove();
  });

  const here = () => `127.0.0.1:${server.port}`;

  /** Runs a command of the page, by the person who set up the server. */
  async function follow(command: string): Promise<string> {
    const said = command
      .replaceAll('OWNER@HOST', `owner@${here()}`)
      .replaceAll('@HOST', `@${here()}`)
      .replaceAll('npx dealsheet', `'${process.execPath}' '${main}'`);
    const env = { ...own, PGHOST: '127.0.0.1', PGPORT: String(server.port), PGUSER: 'owner' };
    const { stdout } = await execa('sh', ['-c', `set -e; ${said}`], {
      ...{ cwd: pat.folder, env: environmentOf(pat.folder, env), extendEnv: false },
    });
    return stdout;
  }

  async function good(desk: Workplace, words: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await desk.run(words, { env: own });
    expect(exitCode, stderr).toBe(0);
    return stdout;
  }

  const load = ['import', 'deals.csv', '--as', 'deals', '--yes', '--json'];
  const loadInto = (...further: readonly string[]) => [...load, '--url', service.url, ...further];
  const countsOf = (stdout: string) => (JSON.parse(stdout) as { counts: Record<string, number> }).counts;

  it('sets up a team in five commands, for a role that owns nothing', async () => {
    const commands = commandsOf('Set it up');
    expect(commands).toHaveLength(5);
    for (const command of commands) await follow(command);
    const refused = await kim.run(['ledger', 'join', pat.path('team.json')], { env: { ...own, PGPASSWORD: 'other' } });
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('password') as string });
    for (const desk of [pat, kim]) await good(desk, ['ledger', 'join', pat.path('team.json')]);
    expect(countsOf(await good(pat, loadInto()))).toMatchObject({ created: 40 });
    cpSync(pat.path('deals.csv'), kim.path('deals.csv'));
    expect(countsOf(await good(kim, loadInto()))).toMatchObject({ alreadyLoaded: 40 });
  });

  it('lets that role do all that a load may need', async () => {
    writeManyDeals(kim.path('deals.csv'), 80);
    const died = await kim.run(loadInto('--concurrency', '2'), {
      env: { ...own, DEALSHEET_STOP_AT: 'intent-after-commit:9' },
    });
    expect(died.exitCode).toBe(-1);
    const [{ run = '' } = {}] = (JSON.parse(await good(pat, ['runs', '--json'])) as { runs: { run: string }[] }).runs;
    await follow('psql dealsheet -c "GRANT pg_signal_backend TO loaders"');
    await good(pat, ['runs', run, '--take-over', '--yes']);
    const resumed = await kim.run(['resume', run, '--yes', '--json'], { env: own });
    expect([0, 6], resumed.stderr).toContain(resumed.exitCode);
    const { inDoubt = 0, ...counts } = countsOf(resumed.stdout);
    expect(inDoubt).toBeLessThanOrEqual(4);
    expect(inDoubt + (counts.created ?? 0) + (counts.alreadyLoaded ?? 0)).toBe(80);
    await good(pat, ['results', run, '-o', pat.path('again.csv')]);
    await server.query(
      `UPDATE rows SET state = 'committed', outcome = 'created' WHERE state = 'in-doubt'`,
      'dealsheet',
    );
    await good(pat, ['runs', '--prune-before', '2200-01-01', '--yes']);
    expect(await server.query('SELECT count(*)::int FROM runs', 'dealsheet')).toEqual([[0]]);
  });

  it('is put back whole from what pg_dump has written, with its key', async () => {
    // They are of a run that was pruned.
    for (const desk of [pat, kim]) rmSync(desk.path('deals.results.xlsx'));
    expect(countsOf(await good(pat, loadInto()))).toMatchObject({ created: 40 });
    await follow('createdb restored; pg_dump dealsheet | psql -q restored');
    const shared = JSON.parse(readFileSync(pat.path('team.json'), 'utf8')) as { ledger: string };
    const restored = { ...shared, ledger: shared.ledger.replace('/dealsheet', '/restored') };
    writeFileSync(kim.path('restored.json'), JSON.stringify(restored));
    await good(kim, ['ledger', 'join', 'restored.json']);
    expect(countsOf(await good(kim, loadInto()))).toMatchObject({ alreadyLoaded: 40, created: 40 });
  });
});
