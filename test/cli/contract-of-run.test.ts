import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { tokenRefused } from '../builders/deals-desk.ts';
import { expectExit } from '../builders/expected.ts';
import { created, serviceForEachTest } from '../builders/recording-service.ts';
import { writeCsv } from '../builders/tables.ts';

const europeanDates = { wire: { date: 'DD/MM/YYYY' } };

describe('the contract of a run', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest((_request, number) => (number === 2 ? tokenRefused : created(number)));

  beforeEach(() => {
    writeCsv(place.path('deals.csv'), [
      ['Amount requested', 'Company name', 'Owner date of birth'],
      [100, 'Harbor', '1980-04-03'],
      [200, 'Mill', '1981-05-04'],
    ]);
  });

  const ownConfiguration = 'config/dealsheet/dealsheet.config.json';
  const writeProfile = (file: string, contract: object) =>
    place.write(file, { profiles: { live: { url: service.url, contract } } });
  const command = (...words: string[]) => place.run(words, { env: { DEALSHEET_TOKEN: 'token' } });
  const stoppedLoad = (...named: string[]) =>
    command('import', 'deals.csv', '--yes', '--concurrency', '1', '--ledger', 'ledger.db', ...named);
  const resume = (...named: string[]) => command('resume', '--yes', '--json', '--ledger', 'ledger.db', ...named);
  const sentDates = () =>
    service.requests.map(({ body }) => (JSON.parse(body) as { owner1: { dob: string } }).owner1.dob);

  it('is the one that it goes on under: another configuration file with a profile of that name is refused', async () => {
    writeProfile(ownConfiguration, {});
    writeProfile('other.json', europeanDates);
    await expectExit(stoppedLoad('--config', 'other.json', '--profile', 'live'), 4);
    const refused = await expectExit(resume(), 2, /The run \S+ began under another contract/);
    expect(refused.stderr).toMatch(/give the same --config as then, or put the profile "live" back as it was/);
    expect(service.requests).toHaveLength(2);
    expect((await resume('--config', 'other.json')).exitCode).toBe(0);
    expect(sentDates()).toEqual(['03/04/1980', '04/05/1981', '04/05/1981']);
  });

  it('stands in a file that has to be named again when no other has the profile', async () => {
    writeProfile('other.json', europeanDates);
    await stoppedLoad('--config', 'other.json', '--profile', 'live');
    await expectExit(resume(), 2, /The run \S+ used the profile "live", but the configuration .*\n.*same --config/);
    expect((await resume('--config', 'other.json')).exitCode).toBe(0);
  });

  it('is the one that its results are written by again, with the file named that has it', async () => {
    writeProfile('other.json', { needs: { 'deals.company.dba': 'error' } });
    const loaded = await stoppedLoad('--config', 'other.json', '--profile', 'live', '--results', 'one.csv', '--json');
    const { run } = JSON.parse(loaded.stdout) as { run: string };
    const wasInvalid = /^Invalid,.*Company DBA is missing/m;
    expect(place.read('one.csv')).toMatch(wasInvalid);
    const again = (...named: string[]) => command('results', run, '--ledger', 'ledger.db', '-o', 'two.csv', ...named);
    expect((await again()).stderr).toContain('If it is in another file, name that file with --config.');
    const written = await again('--config', 'other.json');
    expect(written.stderr).not.toContain('is gone');
    expect(place.read('two.csv')).toMatch(wasInvalid);
  });

  it('is the one that it goes on under: an edited profile is refused', async () => {
    writeProfile(ownConfiguration, {});
    await stoppedLoad('--profile', 'live');
    writeProfile(ownConfiguration, europeanDates);
    expect((await resume()).exitCode).toBe(2);
    writeProfile(ownConfiguration, { wire: { date: 'YYYY-MM-DD' } });
    expect((await resume()).exitCode).toBe(0);
    expect(sentDates()).toEqual(['1980-04-03', '1981-05-04', '1981-05-04']);
  });

  it('is the assumed one where the service was named by its address', async () => {
    await stoppedLoad('--url', service.url);
    writeProfile(ownConfiguration, europeanDates);
    await expectExit(resume('--profile', 'live'), 2, /name the service as it was named then, with --url http/);
    expect((await resume()).exitCode).toBe(0);
  });

  it('does not hang on what exports and templates alone go by', async () => {
    writeProfile(ownConfiguration, europeanDates);
    await stoppedLoad('--profile', 'live');
    writeProfile(ownConfiguration, { ...europeanDates, assignees: ['p.shah'], balances: { key: 'loanId' } });
    await expectExit(resume(), 0);
  });
});
