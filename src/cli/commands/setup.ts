/** `dealsheet setup`: ask for the address and the token of the service once, and store them for the person. */
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { usageError } from '../../errors.ts';
import { readAddress } from '../../service/address.ts';
import { tokenFromFile, tokenIn } from '../../service/tokens.ts';
import {
  ownConfigurationPath,
  ownProfile,
  profileNameIn,
  type StoredProfile,
  storeProfile,
  usualProfile,
} from '../../settings/configuration.ts';
import type { FlagsNamed } from '../../settings/flags.ts';
import { chooseService } from '../../settings/service.ts';
import { command } from '../command.ts';
import { exitCodes } from '../ending.ts';
import type { Terminal } from '../terminal.ts';
import { tellHealth } from './health.ts';

const setupFlags = ['profile', 'url', 'token-file', 'yes'] as const;
type SetupFlags = FlagsNamed<typeof setupFlags>;

export const setupCommand = command({
  examples: [
    ['dealsheet setup', 'asks for a name, the address and the token'],
    ['dealsheet setup --url https://service.example --token-file FILE', 'asks nothing'],
    ['dealsheet setup --url https://service.example < FILE', 'the same, and stores the token'],
  ],
  flags: setupFlags,
  own: { profile: { describe: `The name of the profile; ${usualProfile} when none is given` } },
  run: async (flags, terminal, answer) => {
    const profile = await asked(flags, terminal);
    if (profile === null) {
      terminal.warn('Nothing was stored.');
      return exitCodes.usage;
    }
    const { name } = profile;
    const tokenFile = await storeProfile(profile);
    terminal.say(`Stored: the profile "${name}" in ${ownConfigurationPath}, with its token in ${tokenFile}.`);
    // The service as the new profile names it, with the token that was stored, whatever the environment says.
    const choice = chooseService({ profile: name, config: ownConfigurationPath, tokenFile });
    const code = await tellHealth(choice, terminal, answer);
    if (code === exitCodes.allIn) terminal.say(`Load a file with: dealsheet import FILE --profile ${name}`);
    return code;
  },
});

/**
 * What the flags say, and what the person answers of the rest; off a terminal nothing is asked.
 *
 * @returns `null` when the person says no or ends the input
 */
async function asked(flags: SetupFlags, terminal: Terminal): Promise<StoredProfile | null> {
  const { isInteractive, askText: ask } = terminal;
  const isTokenThere = flags.tokenFile !== undefined || process.stdin.isTTY !== true;
  if (!isInteractive && (flags.url === undefined || !isTokenThere))
    throw usageError(
      'There is no terminal at which to ask for the address and the token. Nothing was stored.',
      `Give --url https://… with --token-file FILE, or with the token on standard input.
By hand: write {"profiles": {"${usualProfile}": {"url": "https://…", "tokenFile": "${usualProfile}.token"}}} into ${ownConfigurationPath}, and the token into ${usualProfile}.token beside it (chmod 600).`,
    );
  const named = flags.profile ?? (isInteractive ? await ask(`Name of the profile (Enter for ${usualProfile}): `) : '');
  if (named === null) return null;
  const name = profileNameIn(named);
  const before = ownProfile(name);
  if (before !== null && !flags.yes && !(await mayReplace(name, before.url, terminal))) return null;
  const enter = before === null ? 'such as https://service.example' : `Enter keeps ${before.url}`;
  const typed = flags.url ?? (await ask(`Address of the service (${enter}): `));
  if (typed === null) return null;
  const url = readAddress(typed.trim() || (before?.url ?? ''));
  if (flags.tokenFile !== undefined) {
    const path = resolve(flags.tokenFile);
    await tokenFromFile(path).token();
    return { name, url, token: { path } };
  }
  if (!isInteractive) return { name, url, token: { text: tokenIn(await text(process.stdin), 'standard input') } };
  const token = await terminal.askSecret('Token (not shown as you type or paste it): ');
  if (token === null) return null;
  const how = 'Run the command again, and type or paste the token alone, on one line.';
  return { name, url, token: { text: tokenIn(token, 'what was typed', how) } };
}

function mayReplace(name: string, url: string, terminal: Terminal): Promise<boolean> {
  if (terminal.isInteractive)
    return terminal.ask(`The profile "${name}" already exists, for ${url}. Replace its address and its token?`);
  throw usageError(
    `The profile "${name}" already exists in ${ownConfigurationPath}. Nothing was stored.`,
    'Give --yes to replace its address and its token, or another name with --profile.',
  );
}
