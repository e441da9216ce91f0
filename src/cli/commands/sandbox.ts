/** `dealsheet sandbox`: runs the small, complete copy of the service, for rehearsals. */
import { once } from 'node:events';
import { resolve } from 'node:path';
import { shellWord } from '../../messages/commands.ts';
import { errorOf } from '../../messages/text.ts';
import { defaultSandboxData, findProfile, profileNames, readConfiguration } from '../../settings/configuration.ts';
import { sandboxPort } from '../../settings/service.ts';
import { command } from '../command.ts';

export const sandboxCommand = command({
  examples: [
    ['dealsheet sandbox', 'the records of your rehearsals, on http://127.0.0.1:4010'],
    ['dealsheet sandbox --data month.db --faults 500=2%,reset-after=1%', 'with faults to rehearse'],
    ['dealsheet sandbox --profile dealsheet.config.json --name live', 'answers as the profile "live" says'],
  ],
  flags: ['profile', 'name', 'port', 'data', 'latency', 'faults', 'rate', 'token-ttl'],
  own: {
    port: { default: sandboxPort },
    profile: { describe: 'A configuration file: answer as the service of its profile does' },
    rate: { describe: 'Requests a second that are answered; the others get 429' },
  },
  run: async (flags, terminal) => {
    const found = flags.profile === undefined ? null : profileIn(flags.profile, flags.name);
    const { defaultSandboxOptions, startSandbox } = await import('../../sandbox/server.ts');
    const { parseFaults, parseLatency } = await import('../../sandbox/faults.ts');
    const sandbox = await startSandbox({
      ...defaultSandboxOptions,
      port: flags.port ?? sandboxPort,
      dataFile: flags.data === ':memory:' ? null : resolve(flags.data ?? defaultSandboxData),
      faults: parseFaults(flags.faults ?? ''),
      latency: parseLatency(flags.latency ?? '0'),
      ratePerSecond: flags.rate ?? null,
      tokenTtlSeconds: flags.tokenTtl ?? null,
      contract: found?.profile.contract ?? null,
    });
    const asProfile =
      found === null ? '' : ` --profile ${shellWord(found.name)} --config ${shellWord(resolve(found.file))}`;
    terminal.say(`The sandbox is at ${sandbox.url}. Open it in a browser to see its records.
Load into it with the token of this start: DEALSHEET_TOKEN=${sandbox.token} dealsheet import FILE --url ${sandbox.url}${asProfile}
Addresses under /sandbox need the key ${sandbox.key}.
Ctrl-C stops it.`);
    await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
    await sandbox.stop();
  },
});

function profileIn(file: string, name: string | undefined) {
  const files = readConfiguration(file);
  const names = profileNames(files);
  if (name === undefined && names.length > 1) throw errorOf('several-profiles', { file, names });
  return findProfile(files, name ?? names[0] ?? 'default');
}
