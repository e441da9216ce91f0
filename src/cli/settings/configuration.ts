/**
 * The configuration file: profiles and defaults. One in the working folder goes above the one of the user in what it adds, and
 * takes the place of none of the user's profiles: whoever made that folder is not the user.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { contractSettingsSchema } from '../../contract/contract-settings.ts';
import { DealsheetError } from '../../errors.ts';
import { isSameFile } from '../../sheets/same-file.ts';
import { configurationFolder, configurationName } from './folders.ts';

const wholeNumber = z.int().positive();

const profileSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  /** A program and its arguments that print a token. Never run through a shell. */
  tokenCommand: z.array(z.string().min(1)).min(1).optional(),
  /** A file with the token, readable by its owner alone. */
  tokenFile: z.string().min(1).optional(),
  concurrency: wholeNumber.optional(),
  /** Requests a second at most. */
  rate: z.number().positive().optional(),
  /** Seconds without an answer. */
  timeout: z.number().positive().optional(),
  /** Transactions in one request. */
  batch: wholeNumber.optional(),
  /** The service takes an Idempotency-Key header: creates may then be repeated. */
  idempotencyKey: z.boolean().optional(),
  /** Whatever answers is taken for the service, where NODE_TLS_REJECT_UNAUTHORIZED=0 says so. */
  insecureTls: z.boolean().optional(),
  contract: contractSettingsSchema.optional(),
});

export const configurationSchema = z.strictObject({
  $schema: z.string().optional(),
  profiles: z.record(z.string().min(1), profileSchema).default({}),
  ledger: z.string().min(1).optional(),
});

export type Profile = z.output<typeof profileSchema>;

/** A profile with the file that it stands in: what may be done on its word depends on that. */
export interface FoundProfile {
  readonly name: string;
  readonly profile: Profile;
  readonly file: string;
  /** The file is the user's own, or was named on the command line: what it says is the user's word. */
  readonly isTrusted: boolean;
}

interface ConfigurationFile {
  readonly path: string;
  readonly isTrusted: boolean;
  readonly settings: z.output<typeof configurationSchema>;
}

/**
 * Reads the configuration files in the order in which they count.
 *
 * @param named  the file given with `--config`, which then is the only one, or `null`
 * @throws DealsheetError `usage` when a file is no JSON, or says something that the schema does not know
 */
export function readConfiguration(named: string | null): readonly ConfigurationFile[] {
  if (named !== null) {
    const file = readFile(resolve(named), true);
    if (file === null)
      throw new DealsheetError('usage', `There is no file ${resolve(named)}.`, 'Correct the path given with --config.');
    return [file];
  }
  return usualPlaces().flatMap(({ path, isTrusted }) => readFile(path, isTrusted) ?? []);
}

/** Where the user's own settings stand. */
export const ownConfigurationPath = join(configurationFolder, configurationName);

/** Where configuration files are looked for when none is named, in the order in which they count. */
export function usualPlaces(): readonly { readonly path: string; readonly isTrusted: boolean }[] {
  const own = { path: ownConfigurationPath, isTrusted: true };
  const here = resolve(configurationName);
  return isSameFile(here, own.path) ? [own] : [{ path: here, isTrusted: false }, own];
}

/** @throws DealsheetError `usage` when no file has the profile; it names those that there are */
export function findProfile(files: readonly ConfigurationFile[], name: string): FoundProfile {
  const found = profileNamed(files, name);
  if (found !== null) return found;
  const known = profileNames(files);
  const remedy =
    known.length === 0
      ? `Name the service once with dealsheet setup, or write it into ${ownConfigurationPath}.`
      : `The profiles are: ${known.join(', ')}.`;
  throw new DealsheetError('usage', `There is no profile "${name}".`, remedy);
}

/**
 * The profile of a file that is looked into for one alone.
 *
 * @param name  `undefined` for its only one
 * @throws DealsheetError `usage` when it has none, or several and none was named
 */
export function profileIn(file: string, name: string | undefined): FoundProfile {
  const files = readConfiguration(file);
  const names = profileNames(files);
  const [only] = names;
  if (name !== undefined || only === undefined || names.length === 1)
    return findProfile(files, name ?? only ?? 'default');
  throw new DealsheetError(
    'usage',
    `${resolve(file)} has several profiles.`,
    `Choose one with --name: ${names.join(', ')}.`,
  );
}

export function profileNames(files: readonly ConfigurationFile[]): readonly string[] {
  return [...new Set(files.flatMap(({ settings }) => Object.keys(settings.profiles)))];
}

/**
 * The profile of this name, or `null`.
 *
 * @throws DealsheetError `usage` when a file of the working folder says otherwise than the user's own what the name stands for
 */
export function profileNamed(files: readonly ConfigurationFile[], name: string): FoundProfile | null {
  const found = files.flatMap(({ path, isTrusted, settings }) => {
    const profile = Object.hasOwn(settings.profiles, name) ? settings.profiles[name] : undefined;
    return profile === undefined ? [] : [{ name, profile, file: path, isTrusted }];
  });
  const [first = null, second] = found;
  if (first !== null && second !== undefined && !first.isTrusted) throw standsInTwoFiles(first, second);
  return first;
}

function standsInTwoFiles(here: FoundProfile, own: FoundProfile): DealsheetError {
  return new DealsheetError(
    'usage',
    `The profile "${here.name}" stands in two files: in ${own.file}, which is your own, and in ${here.file}, a file of the folder that the command was started in. That one may not take the place of yours.`,
    `To use yours, take the profile out of ${here.file}, give it another name there, or start in another folder; or name the file that you mean with --config. Nothing was sent.`,
  );
}

/** A path in a configuration file counts from the folder of that file. */
export function besideConfiguration(file: string, path: string): string {
  return resolve(dirname(file), path);
}

function readFile(path: string, isTrusted: boolean): ConfigurationFile | null {
  const text = textOf(path);
  if (text === null) return null;
  const parsed = configurationSchema.safeParse(jsonOf(path, text));
  if (parsed.success) return { path, isTrusted, settings: parsed.data };
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the whole file'}: ${issue.message}`);
  throw new DealsheetError(
    'usage',
    `The configuration ${path} is not right: ${faults.join('; ')}.`,
    'Correct it and try again.',
  );
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new DealsheetError('usage', `The configuration ${path} cannot be read.`, 'Check its permissions.', { cause });
  }
}

function jsonOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new DealsheetError(
      'usage',
      `The configuration ${path} is no JSON: ${(cause as Error).message}.`,
      'Correct it and try again.',
      { cause },
    );
  }
}
