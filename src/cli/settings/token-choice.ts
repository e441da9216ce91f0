/**
 * Where the token comes from, before it is read. Its one rule: a configuration file of whatever folder a command is started
 * in is not the person's word, and no token goes anywhere, nor is a file or a command taken for one, on its word alone.
 */
import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DealsheetError } from '../../errors.ts';
import { shellWord } from '../../messages/commands.ts';
import { besideConfiguration, type FoundProfile, ownConfigurationPath } from './configuration.ts';
import { type Candidate, fromFlag, fromProfile, type Setting, settled, textFromVariable } from './setting.ts';

export type TokenSource =
  | { readonly from: 'environment'; readonly text: string }
  | { readonly from: 'file'; readonly path: string; readonly namedBy: TokenFileNaming }
  | { readonly from: 'command'; readonly command: readonly string[]; readonly folder: string };

type TokenFileNaming = 'flag' | 'environment' | 'profile';

interface TokenFlags {
  readonly tokenFile: string | undefined;
}

/** Where the token comes from; its value is `null` when nobody says. What may not be used stands in it all the same. */
export function tokenSetting(flags: TokenFlags, found: FoundProfile | null): Setting<TokenSource | null> {
  const inFile = (candidate: Candidate<string> | null, namedBy: TokenFileNaming) =>
    candidate === null ? null : { ...candidate, value: { from: 'file' as const, path: candidate.value, namedBy } };
  const text = textFromVariable('TOKEN');
  const { tokenCommand, tokenFile } = found?.profile ?? {};
  const fileOfProfile =
    found === null || tokenFile === undefined ? undefined : besideConfiguration(found.file, tokenFile);
  return settled<TokenSource | null>(
    [
      inFile(fromFlag('--token-file', flags.tokenFile), 'flag'),
      text === null ? null : { ...text, value: { from: 'environment', text: text.value } },
      inFile(textFromVariable('TOKEN_FILE'), 'environment'),
      fromProfile<TokenSource>(
        found,
        found === null || tokenCommand === undefined
          ? undefined
          : { from: 'command', command: tokenCommand, folder: dirname(found.file) },
      ),
      inFile(fromProfile(found, fileOfProfile), 'profile'),
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
export function chosenToken(flags: TokenFlags, found: FoundProfile | null): ChosenToken {
  const { value: source, origin, overridden } = tokenSetting(flags, found);
  if (source === null) {
    throw new DealsheetError(
      'usage',
      'There is no token for the service: nothing was sent.',
      'Put it into the environment variable DEALSHEET_TOKEN, name a file with --token-file, or store it with dealsheet setup.',
    );
  }
  const refusal = found === null ? null : untrusted(source, origin, found);
  if (refusal === null) return { source, from: fromInWords({ value: source, origin }, overridden) };
  throw new DealsheetError('usage', refusal.message, `${refusal.remedy} Nothing was sent.`);
}

/** A token that was left in the environment is easily forgotten, and goes before the one of the profile that was named. */
function fromInWords(used: Candidate<TokenSource>, overridden: readonly Candidate<TokenSource | null>[]): string {
  const others = overridden.flatMap(({ value, origin }) => (value === null ? [] : [placeInWords({ value, origin })]));
  return [placeInWords(used), ...others.slice(0, 1).map((place) => `which goes before ${place}`)].join(', ');
}

function placeInWords({ value: source, origin }: Candidate<TokenSource>): string {
  switch (source.from) {
    case 'environment':
      return `the environment variable ${origin}`;
    case 'file':
      return `the file ${resolve(source.path)} (${origin})`;
    case 'command':
      return `the command ${source.command[0]} (${origin})`;
  }
}

/** What a profile of the folder that a command is started in may not have done, and what to do instead. */
export interface Untrusted {
  readonly message: string;
  readonly remedy: string;
}

/** @returns why the token may not be used for this profile, or `null` when it may */
export function untrusted(source: TokenSource, origin: string, found: FoundProfile): Untrusted | null {
  if (found.isTrusted) return null;
  const { name, file } = found;
  const how =
    source.from === 'command'
      ? 'by hand: dealsheet setup stores no token command'
      : `dealsheet setup --profile ${shellWord(name)} does it`;
  const remedy = `If the profile is right, write it into your own configuration, ${ownConfigurationPath} (${how}), or name its file with --config.`;
  switch (source.from) {
    case 'command':
      return {
        message: `The profile "${name}" in ${file} has a token command, and a command is not run on the word of whatever folder this is.`,
        remedy,
      };
    case 'environment':
      return { message: notOnItsWord(found, origin), remedy };
    case 'file':
      if (source.namedBy === 'flag' || (source.namedBy === 'profile' && liesBeside(file, source.path))) return null;
      if (source.namedBy === 'environment') return { message: notOnItsWord(found, origin), remedy };
      return {
        message: `The profile "${name}" in ${file} names the token file ${source.path}, which is not in the same folder, and no other file is read on the word of whatever folder this is.`,
        remedy,
      };
  }
}

function notOnItsWord({ name, file, profile }: FoundProfile, origin: string): string {
  return `Your token (${origin}) was not sent to ${profile.url}: this address of the profile "${name}" stands in ${file} alone, a file of the folder that the command was started in.`;
}

/** Whether a file is one of the very folder of a configuration file, wherever links lead. What is not there is told when it is read. */
function liesBeside(configuration: string, path: string): boolean {
  try {
    return dirname(realpathSync(path)) === realpathSync(dirname(configuration));
  } catch {
    return dirname(path) === dirname(configuration);
  }
}
