/** `dealsheet setup`: asks once for the address and token of the service, and stores them. */
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { isDealsheetError } from '../../errors.ts';
import { errorOf } from '../../messages/text.ts';
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
import type { Flags } from '../../settings/flags.ts';
import { chooseService } from '../../settings/service.ts';
import { command } from '../command.ts';
import { exitCodes } from '../command-end.ts';
import type { Terminal } from '../terminal.ts';
import { tellHealth } from './health.ts';

export const setupCommand = command({
  examples: [
    ['dealsheet setup', 'asks for a name, the address and the token'],
    ['dealsheet setup --url https://service.example --token-file FILE', 'asks nothing'],
    ['dealsheet setup --url https://service.example < FILE', 'the same, and stores the token'],
  ],
  flags: ['profile', 'url', 'token-file', 'yes'],
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
    const choice = chooseService({ profile: name, config: ownConfigurationPath }, true);
    const code = await tellHealth(choice, terminal, answer);
    if (code === exitCodes.allIn) terminal.say(`Load a file with: dealsheet import FILE --profile ${name}`);
    return code;
  },
});

/**
 * The flags, and a person's answers for the rest. Without a terminal nothing is asked.
 *
 * @returns `null` when the person declines or ends the input
 */
async function asked(flags: Flags, terminal: Terminal): Promise<StoredProfile | null> {
  const { isInteractive } = terminal;
  const isTokenThere = flags.tokenFile !== undefined || process.stdin.isTTY !== true;
  if (!isInteractive && (flags.url === undefined || !isTokenThere))
    throw errorOf('setup-without-terminal', { name: usualProfile, path: ownConfigurationPath });
  const askName = () => terminal.askText(`A short name for this service (Enter for ${usualProfile}): `);
  const name =
    isInteractive && flags.profile === undefined
      ? await typedWell(terminal, askName, profileNameIn)
      : profileNameIn(flags.profile ?? '');
  if (name === null || !(await mayStore(name, flags, terminal))) return null;
  const before = ownProfile(name);
  const enter = before === null ? 'such as https://service.example' : `Enter keeps ${before.url}`;
  const askUrl = () => terminal.askText(`Address of the service (${enter}): `);
  const url =
    flags.url === undefined
      ? await typedWell(terminal, askUrl, (typed) => readAddress(typed.trim() || (before?.url ?? '')))
      : readAddress(flags.url);
  const token = url && (await tokenGiven(flags, terminal));
  return url && token && { name, url, token };
}

async function tokenGiven(flags: Flags, terminal: Terminal): Promise<StoredProfile['token'] | null> {
  if (flags.tokenFile !== undefined) {
    const path = resolve(flags.tokenFile);
    await tokenFromFile(path).token();
    return { path };
  }
  if (!terminal.isInteractive) return { text: tokenIn(await text(process.stdin), 'standard input') };
  const askToken = () => terminal.askSecret('Token (not shown as you type or paste it): ');
  const token = await typedWell(terminal, askToken, (typed) => tokenIn(typed, null));
  return token === null ? null : { text: token };
}

/** Asks until the input is valid, and reports each error. @returns `null` when the input ends */
async function typedWell<Value>(
  terminal: Terminal,
  ask: () => Promise<string | null>,
  read: (typed: string) => Value,
): Promise<Value | null> {
  for (;;) {
    const typed = await ask();
    if (typed === null) return null;
    try {
      return read(typed);
    } catch (error) {
      if (!isDealsheetError(error)) throw error;
      terminal.warn(`${error.message} ${error.remedy}`);
    }
  }
}

/** Whether nothing is stored under the name, or may be replaced. */
async function mayStore(name: string, flags: Flags, terminal: Terminal): Promise<boolean> {
  const stored = ownProfile(name);
  if (stored === null || flags.yes) return true;
  if (terminal.isInteractive)
    return terminal.ask(`The profile "${name}" already exists, for ${stored.url}. Replace its address and its token?`);
  throw errorOf('profile-stored-already', { name, path: ownConfigurationPath });
}
