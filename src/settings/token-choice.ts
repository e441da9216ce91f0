/**
 * Where the token comes from, before it is read. Its one rule: a configuration file of whatever folder a command is started
 * in is not the person's word, and no token goes anywhere, nor is a file or a command taken for one, on its word alone.
 */
import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DealsheetError } from '../errors.ts';
import { shellWord } from '../messages/commands.ts';
import { besideConfiguration, type FoundProfile, ownConfigurationPath } from './configuration.ts';
import { fromFlag, fromProfile, fromVariable, readAs, type Setting, settled } from './setting.ts';

export type TokenSource =
  | { readonly from: 'environment'; readonly text: string }
  | { readonly from: 'file'; readonly path: string; readonly namedBy: 'flag' | 'environment' | 'profile' }
  | { readonly from: 'command'; readonly command: readonly string[]; readonly folder: string };

/** Where the token comes from; its value is `null` when nobody says. What may not be used stands in it all the same. */
export function tokenSetting(tokenFile: string | undefined, found: FoundProfile | null): Setting<TokenSource | null> {
  const file = (namedBy: 'flag' | 'environment' | 'profile') => (path: string) =>
    ({
      from: 'file',
      path: namedBy === 'profile' ? besideConfiguration(found?.file ?? '', path) : path,
      namedBy,
    }) as const;
  return settled<TokenSource | null>(
    [
      readAs(fromFlag('--token-file', tokenFile), file('flag')),
      readAs(fromVariable('TOKEN'), (text) => ({ from: 'environment', text })),
      readAs(fromVariable('TOKEN_FILE'), file('environment')),
      readAs(fromProfile(found, found?.profile.tokenCommand), (command) => ({
        from: 'command',
        command,
        folder: dirname(found?.file ?? ''),
      })),
      readAs(fromProfile(found, found?.profile.tokenFile), file('profile')),
    ],
    null,
  );
}

/** A token that may be used, before it is read. */
export interface ChosenToken {
  readonly source: TokenSource;
  /** Where it comes from, in words for a message, and what it goes before; the token itself never. */
  readonly from: string;
}

/** @throws DealsheetError `usage` when there is no token, or it may not be used for the profile */
export function chosenToken(setting: Setting<TokenSource | null>, found: FoundProfile | null): ChosenToken {
  const { value: source, origin, overridden } = setting;
  if (source === null) {
    throw new DealsheetError(
      'usage',
      'There is no token for the service: nothing was sent.',
      'Put it into the environment variable DEALSHEET_TOKEN, name a file with --token-file, or store it with dealsheet setup.',
    );
  }
  const refusal = found === null ? null : untrusted(source, origin, found);
  if (refusal !== null) throw new DealsheetError('usage', refusal.message, `${refusal.remedy} Nothing was sent.`);
  // A token that was left in the environment is easily forgotten, and goes before the one of the profile that was named.
  const [next] = overridden;
  const before = next?.value ? `, which goes before ${placeInWords(next.value, next.origin)}` : '';
  return { source, from: `${placeInWords(source, origin)}${before}` };
}

function placeInWords(source: TokenSource, origin: string): string {
  if (source.from === 'environment') return `the environment variable ${origin}`;
  if (source.from === 'file') return `the file ${resolve(source.path)} (${origin})`;
  return `the command ${source.command[0]} (${origin})`;
}

/** What a profile of the folder that a command is started in may not have done, and what to do instead. */
export interface Untrusted {
  readonly message: string;
  readonly remedy: string;
}

/** @returns why the token may not be used for this profile, or `null` when it may */
export function untrusted(source: TokenSource, origin: string, found: FoundProfile): Untrusted | null {
  const message = found.isTrusted ? null : refusalOf(source, origin, found);
  if (message === null) return null;
  const how =
    source.from === 'command'
      ? 'by hand: dealsheet setup stores no token command'
      : `dealsheet setup --profile ${shellWord(found.name)} does it`;
  return {
    message,
    remedy: `If the profile is right, write it into your own configuration, ${ownConfigurationPath} (${how}), or name its file with --config.`,
  };
}

function refusalOf(source: TokenSource, origin: string, { name, file, profile }: FoundProfile): string | null {
  const where = `The profile "${name}" in ${file}`;
  if (source.from === 'command')
    return `${where} has a token command. A command from a configuration that is not your own is not run.`;
  if (source.from === 'environment' || source.namedBy === 'environment')
    return `Your token (${origin}) was not sent to ${profile.url}: that address comes from the profile "${name}" in ${file}, which is not your own configuration.`;
  if (source.namedBy === 'flag' || liesBeside(file, source.path)) return null;
  return `${where} names the token file ${source.path}, which is not in the same folder. A configuration that is not your own can only name a token file beside it.`;
}

/** Whether a file is one of the very folder of a configuration file, wherever links lead. What is not there is told when it is read. */
function liesBeside(configuration: string, path: string): boolean {
  try {
    return dirname(realpathSync(path)) === realpathSync(dirname(configuration));
  } catch {
    return dirname(path) === dirname(configuration);
  }
}
