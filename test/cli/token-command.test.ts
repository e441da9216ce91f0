import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { deals } from '../builders/deals-desk.ts';
import { serviceForEachTest } from '../builders/recording-service.ts';
import { writeCsv } from '../builders/tables.ts';

describe('a relative token command', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest();

  beforeEach(() => {
    writeCsv(place.path('deals.csv'), deals('Harbor'));
  });

  const script = (path: string, line: string) => place.write(path, `#!/bin/sh\n${line}`, { mode: 0o700 });
  const load = (tokenCommand: readonly string[]) => {
    place.write('config/dealsheet/dealsheet.config.json', { profiles: { here: { url: service.url, tokenCommand } } });
    return place.run(['import', 'deals.csv', '--profile', 'here', '--yes']);
  };

  it.each([['./get-token.sh'], ['sh', 'get-token.sh'], ['sh', './get-token.sh']].map((words) => [words]))(
    'is looked up beside its configuration, and not in the working folder: %j',
    async (tokenCommand) => {
      script('get-token.sh', 'touch "$HOME/ran"; echo other-token');
      expect((await load(tokenCommand)).exitCode).toBe(4);
      script('config/dealsheet/get-token.sh', 'echo own-token');
      expect((await load(tokenCommand)).exitCode).toBe(0);
      expect(existsSync(place.path('ran'))).toBe(false);
      expect(service.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer own-token']);
    },
  );
});
