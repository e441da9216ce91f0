/** `dealsheet sandbox`: the service itself, small and complete, to rehearse against and to look at. */
import { resolve } from 'node:path';
import { shellWord } from '../../messages/commands.ts';
import { command } from '../command.ts';
import { oneValue } from '../flags/positive-number.ts';
import { profileIn } from '../settings/configuration.ts';
import { defaultSandboxData } from '../settings/folders.ts';
import { sandboxPort } from '../settings/service-session.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { openTerminal } from '../terminal/terminal.ts';

export const sandboxCommand = command({
  examples: [
    ['dealsheet sandbox', 'the records of your rehearsals, on http://127.0.0.1:4010'],
    ['dealsheet sandbox --data month.db --faults 500=2%,reset-after=1%', 'with faults to rehearse'],
    ['dealsheet sandbox --profile dealsheet.config.json --name live', 'answers as the profile "live" says'],
  ],
  builder: (yargs) =>
    yargs.options({
      port: { type: 'number', default: sandboxPort, ...oneValue, describe: 'The port; 0 takes any free one' },
      data: { type: 'string', requiresArg: true, describe: 'The file of the records; :memory: keeps them in memory' },
      latency: { type: 'string', requiresArg: true, describe: 'Milliseconds before each answer, or a spread: 20-80' },
      faults: {
        type: 'string',
        requiresArg: true,
        describe: 'Shares of faults: 500=2%,429=1%,reset-after=1%,stall=1%',
      },
      rate: {
        type: 'number',
        ...oneValue,
        describe: 'Requests a second that are let through; the others get 429',
      },
      profile: {
        type: 'string',
        requiresArg: true,
        describe: 'A configuration file: speak as its profile says, to rehearse that',
      },
      name: {
        type: 'string',
        requiresArg: true,
        implies: 'profile',
        describe: 'Which profile of that file, where it has several',
      },
      'token-ttl': { type: 'number', ...oneValue, describe: 'Seconds that a token is valid' },
    }),
  run: async (flags) => {
    const terminal = openTerminal({ quiet: false });
    const found = flags.profile === undefined ? null : profileIn(flags.profile, flags.name);
    const { defaultSandboxOptions, startSandbox } = await import('../../sandbox/server.ts');
    const { parseFaults } = await import('../../sandbox/faults.ts');
    const { parseLatency } = await import('../../sandbox/conditions.ts');
    const dataFile = flags.data === ':memory:' ? null : resolve(flags.data ?? defaultSandboxData);
    const sandbox = await startSandbox({
      ...defaultSandboxOptions,
      port: flags.port,
      dataFile,
      faults: parseFaults(flags.faults ?? ''),
      latency: parseLatency(flags.latency ?? '0'),
      ratePerSecond: flags.rate ?? null,
      tokenTtlSeconds: flags.tokenTtl ?? null,
      contract: found?.profile.contract ?? null,
    });
    terminal.say(`The sandbox is at ${sandbox.url}. Open it in a browser to see its records.`);
    const asProfile =
      found === null ? '' : ` --profile ${shellWord(found.name)} --config ${shellWord(resolve(found.file))}`;
    terminal.say(
      `Load into it with: DEALSHEET_TOKEN=${sandbox.token} dealsheet import FILE --url ${sandbox.url}${asProfile}`,
    );
    terminal.say(`Its addresses below /sandbox want the key ${sandbox.key}.`);
    terminal.say('Ctrl-C stops it.');
    await interruptedOnce();
    await sandbox.stop();
    return exitCodes.allIn;
  },
});

function interruptedOnce(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
  });
}
