import { mkdirSync } from 'node:fs';
import { execa } from 'execa';
import { beforeEach, describe, expect, it } from 'vitest';
import { deals, deskForEachTest, serverError } from '../../builders/deals-desk.ts';
import { environmentOf, main } from '../../builders/workplace.ts';

const desk = deskForEachTest();
let shared: string;

beforeEach(() => {
  mkdirSync(desk.place.path('of all'));
  shared = desk.place.path('of all/ledger.db');
  desk.write('deals.csv', deals('Harbor', 'Quay'));
});

/** Runs `dealsheet …` as it stands in a message, in a shell. */
function asTyped(command: string) {
  const script = `dealsheet() { "${process.execPath}" "${main}" "$@"; }\n${command}`;
  return execa('bash', ['-c', script], {
    cwd: desk.place.folder,
    env: environmentOf(desk.place.folder, { DEALSHEET_TOKEN: 'token' }),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
}

const commandIn = (text: string, name: string) => new RegExp(`dealsheet ${name}[^\n]*`).exec(text)?.[0] ?? '';

describe('a command that a message tells a person to run', () => {
  it('names the ledger of --ledger, and runs as it stands', async () => {
    desk.said.set(1, serverError);
    const { stderr, printed } = await desk.load('deals.csv', '--ledger', shared);
    const told = commandIn(stderr, 'resolve');
    expect(told).toContain(`dealsheet resolve ${printed?.run} --ledger '${shared}' --row 'SHEET!N' --created ID`);
    expect(stderr).toContain(`List them with: dealsheet runs ${printed?.run} --ledger '${shared}'\n`);
    const one = told.replace('SHEET!N', 'deals!2').replace('--created ID, or ', '');
    const settled = await asTyped(one);
    expect(settled.exitCode, settled.stderr).toBe(0);
    const again = await asTyped(commandIn(settled.stderr, 'results'));
    expect(again.stderr).toMatch(/Results: /);
    expect(again.exitCode).toBe(0);
  });

  it('names the ledger in a Problems cell and in the JSON of a run too, however the results were written', async () => {
    desk.said.set(1, serverError);
    await desk.load('deals.csv', '--ledger', shared, '--results', 'one.csv');
    desk.write('july.csv', deals('Harbor'));
    const july = await desk.load('july.csv', '--ledger', shared, '--results', 'two.csv');
    const told = commandIn(desk.problemsOf('two.csv', 0), 'resolve');
    expect(told, july.stderr).toMatch(/ --ledger '[^']*ledger\.db' --row 'deals!2' --created ID, or --not-created$/);
    const { run = '' } = july.printed ?? {};
    await desk.place.run(['results', run, '--ledger', shared, '-o', 'three.csv']);
    expect(commandIn(desk.problemsOf('three.csv', 0), 'resolve')).toBe(told);
    const { stdout } = await desk.place.run(['runs', run, '--json', '--ledger', shared]);
    expect(
      commandIn((JSON.parse(stdout) as { inDoubt: { message: string }[] }).inDoubt[0]?.message ?? '', 'resolve'),
    ).toBe(told);
    const settled = await asTyped(told.replace('--created ID, or ', ''));
    expect(settled.exitCode, settled.stderr).toBe(0);
  });

  it('names no ledger where the command alone finds it: the default one, or that of the own configuration', async () => {
    const unknown = () => desk.place.run(['runs', '2026-01-01-01-bcdf']);
    expect((await unknown()).stderr).toContain('dealsheet runs lists its runs.');
    desk.place.write('config/dealsheet/dealsheet.config.json', { ledger: shared });
    const { stderr } = await unknown();
    expect(stderr).toContain(`in the ledger ${shared}.`);
    expect(stderr).toContain('dealsheet runs lists its runs.');
  });

  it('names the configuration and the token file that were given', async () => {
    desk.place.write('token', 'token', { mode: 0o600 });
    const profile = { url: desk.service.url, concurrency: 1 };
    desk.place.write('live.json', { profiles: { live: profile }, ledger: 'own.db' });
    const where = ['--profile', 'live', '--config', 'live.json', '--token-file', 'token'];
    desk.said.set(1, { status: 302, headers: { location: 'https://elsewhere.example/' }, body: '' });
    const { stderr } = await desk.place.run(['import', 'deals.csv', '--as', 'deals', ...where, '--yes']);
    const { path } = desk.place;
    const told = commandIn(stderr, 'resume');
    expect(told).toMatch(/^dealsheet resume \d{4}-\d\d-\d\d-\d\d-[a-z]{4} --ledger /);
    expect(told).toContain(`--ledger ${path('own.db')} --config ${path('live.json')} --token-file ${path('token')}`);
    const resumed = await asTyped(`${told} --yes --json`);
    expect(JSON.parse(resumed.stdout).counts, resumed.stderr).toMatchObject({ created: 1 });
  });
});
