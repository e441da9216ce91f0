import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';

interface Told {
  readonly settings: Record<
    string,
    { value: unknown; origin: string; overridden: { value: unknown; origin: string }[] }
  >;
  readonly files: { path: string; isThere: boolean }[];
}

describe('dealsheet config', () => {
  const place = workplaceForEachTest();

  const own = () => place.path('config/dealsheet/dealsheet.config.json');
  function write(path: string, settings: unknown): void {
    mkdirSync(place.path('config/dealsheet'), { recursive: true });
    writeFileSync(path, JSON.stringify(settings));
  }
  async function told(words: readonly string[], env: Record<string, string> = {}): Promise<Told['settings']> {
    const { stdout } = await expectExit(place.run(['config', '--json', ...words], { env }), 0);
    return (JSON.parse(stdout) as Told).settings;
  }
  const live = (settings: object) => ({ profiles: { live: { url: 'https://own.example', ...settings } } });

  it('has flags above the environment, that above the profile, and that above the default', async () => {
    expect((await told([])).rate).toEqual({ value: null, origin: 'default', overridden: [] });
    write(own(), live({ rate: 7 }));
    const profile = { value: 7, origin: `profile "live" in ${own()}` };
    expect((await told(['--profile', 'live'])).rate).toEqual({ ...profile, overridden: [] });
    const variable = { value: 6, origin: 'DEALSHEET_RATE' };
    const env = { DEALSHEET_RATE: '6' };
    expect((await told(['--profile', 'live'], env)).rate).toEqual({ ...variable, overridden: [profile] });
    expect((await told(['--profile', 'live', '--rate', '5'], env)).rate).toEqual({
      value: 5,
      origin: '--rate',
      overridden: [variable, profile],
    });
  });

  it('tells that a rehearsal sends keys, whatever its profile says', async () => {
    write(own(), live({ idempotencyKey: false }));
    const { idempotencyKey } = await told(['--profile', 'live', '--sandbox']);
    expect(idempotencyKey).toMatchObject({ value: true, origin: '--sandbox', overridden: [{ value: false }] });
  });

  it.each(['concurrency', 'timeout', 'batch'])('tells who says the %s', async (name) => {
    write(own(), live({ [name]: 7 }));
    const env = { [`DEALSHEET_${name.toUpperCase()}`]: '6' };
    const { [name]: setting } = await told(['--profile', 'live', `--${name}`, '5'], env);
    expect([setting, ...(setting?.overridden ?? [])].map((one) => one?.value)).toEqual([5, 6, 7]);
  });

  it('names the ledger that the commands use', async () => {
    write(own(), { ledger: place.path('here.db') });
    expect((await told([])).ledger).toMatchObject({ value: place.path('here.db'), origin: own() });
    const { stderr } = await place.run(['results', '2026-01-01-01']);
    expect(stderr).toContain('2026-01-01-01');
    expect((await place.run(['config'])).stdout).toContain(`ledger          ${place.path('here.db')}`);
    await expectExit(place.run(['runs', '--ledger', 'here.db']), 0);
  });

  it('never shows a token', async () => {
    const secret = 'tok_very-secret';
    place.write('token', secret);
    chmodSync(place.path('token'), 0o600);
    write(own(), live({ tokenCommand: ['print-token', secret] }));
    const words = ['config', '--profile', 'live', '--token-file', 'token'];
    const { stdout } = await place.run(words, { env: { DEALSHEET_TOKEN: secret } });
    expect(stdout).not.toContain(secret);
    expect(stdout).toContain(`the file ${place.path('token')}  (--token-file)`);
    expect(stdout).toContain('instead of the environment variable DEALSHEET_TOKEN  (DEALSHEET_TOKEN)');
    expect(stdout).toContain('instead of the command print-token  (profile "live" in');
  });

  it.each(['constructor', 'toString', '__proto__'])('knows no profile that nobody has written (%s)', async (name) => {
    write(own(), live({}));
    const { stderr } = await expectExit(place.run(['config', '--profile', name]), 2);
    expect(stderr).toContain(`There is no profile "${name}".\nThe profiles are: live.`);
  });

  it('names the stored profiles where none is chosen, as does a load without a service', async () => {
    const without = 'Choose one with --profile NAME.';
    expect((await place.run(['config'])).stdout).not.toContain(without);
    write(own(), { profiles: { live: { url: 'https://own.example' }, 'year end': { url: 'https://other.example' } } });
    expect((await place.run(['config'])).stdout).toContain(`Stored profiles: live, year end. ${without}`);
    expect((await place.run(['config', '--profile', 'live'])).stdout).not.toContain(without);
    place.write('deals.csv', 'Amount requested\n1\n');
    const { stderr } = await place.run(['import', 'deals.csv']);
    expect(stderr).toContain(
      "Name the one that you have stored with --profile live or --profile 'year end', give --url https://…, or rehearse with --sandbox.",
    );
  });

  it.each([
    'http://pat:PASSWORD@127.0.0.1:4101',
    'https://api.example/?key=PASSWORD',
    'https://api.example/#PASSWORD',
    'http://pat:PASSWORD@not a host',
  ])('and every command refuses an address with more than a place, and does not repeat it: %s', async (url) => {
    place.write('deals.csv', 'Company name,Amount requested\nHarbor,1');
    const named = place.path('named.json');
    write(named, { profiles: { live: { url } } });
    const profile = ['--config', named, '--profile', 'live'];
    for (const [words, env] of [
      [['config', '--url', url], {}],
      [['config'], { DEALSHEET_URL: url }],
      [['config', ...profile], {}],
      [['health', '--url', url], {}],
      [['import', 'deals.csv', '--url', url, '--plan', 'plan.json'], {}],
      [['import', 'deals.csv', '--plan', 'plan.json'], { DEALSHEET_URL: url }],
      [['import', 'deals.csv', ...profile, '--plan', 'plan.json'], {}],
    ] as const) {
      const ended = await expectExit(place.run(words, { env: { DEALSHEET_TOKEN: 'token', ...env } }), 2);
      expect(ended.stdout + ended.stderr, words.join(' ')).not.toContain('PASSWORD');
      expect(existsSync(place.path('plan.json'))).toBe(false);
    }
  });
});
