import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { type CannedAnswer, serviceForEachTest } from '../builders/recording-service.ts';
import { writeCsv } from '../builders/tables.ts';

const headers = ['Amount requested', 'Company name', 'Owner last name'];
const sameId: CannedAnswer = { status: 201, body: JSON.stringify({ success: true, id: 'deal_1' }) };
const refused: CannedAnswer = { status: 422, body: '{"message":"no"}' };

describe('a service that gives one id to two rows', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest((_request, number) => answers[number - 1] ?? sameId);
  let answers: readonly CannedAnswer[] = [];

  beforeEach(() => {
    writeCsv(place.path('deals.csv'), [headers, [100, 'Harbor', 'Moreno'], [200, 'Kite', 'Moreno']]);
  });

  const load = async () => {
    const words = ['import', 'deals.csv', '--url', service.url, '--yes', '--json', '--concurrency', '1'];
    const { stdout, exitCode } = await place.run(words, { env: { DEALSHEET_TOKEN: 'token' } });
    return { exitCode, counts: (JSON.parse(stdout) as { counts: Record<string, number> }).counts };
  };

  it('has one of them In doubt: one record is not two', async () => {
    answers = [];
    expect(await load()).toMatchObject({ exitCode: 6, counts: { created: 1, inDoubt: 1 } });
  });

  it('has the second one In doubt also when the first went in with an earlier load of the file', async () => {
    answers = [sameId, refused];
    expect(await load()).toMatchObject({ exitCode: 1, counts: { created: 1, rejected: 1 } });
    expect(await load()).toMatchObject({ exitCode: 6, counts: { alreadyLoaded: 1, inDoubt: 1 } });
  });

  it('has the second one In doubt also when the load was stopped between them', async () => {
    answers = [sameId, { status: 401, body: '{}' }];
    expect(await load()).toMatchObject({ exitCode: 4, counts: { created: 1, notSent: 1 } });
    const resumed = await place.run(['resume', '--yes', '--json'], { env: { DEALSHEET_TOKEN: 'token' } });
    expect(resumed.exitCode, resumed.stderr).toBe(6);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ counts: { created: 1, inDoubt: 1 } });
  });
});
