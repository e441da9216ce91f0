import { expect, it } from 'vitest';
import { workplaceHere } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { hardlyWaiting } from '../builders/workplace.ts';

it('refuses NODE_TLS_REJECT_UNAUTHORIZED=0, unless the profile says that it is meant', async () => {
  const place = workplaceHere();
  const env = { DEALSHEET_TOKEN: 'token', NODE_TLS_REJECT_UNAUTHORIZED: '0', ...hardlyWaiting };
  const url = 'https://127.0.0.1:9/';
  await expectExit(place.run(['health', '--url', url], { env }), 2, 'NODE_TLS_REJECT_UNAUTHORIZED=0 is set');
  place.write('c.json', { profiles: { own: { url, insecureTls: true } } });
  const meant = await place.run(['health', '--profile', 'own', '--config', 'c.json'], { env });
  expect(meant.stderr).toContain('The certificate of the service is not checked');
  place.remove();
});
