/**
 * The configuration file: profiles and defaults. One in the working folder goes above the one of the user in what it adds, and
 * takes the place of none of the user's profiles: whoever made that folder is not the user.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { contractSettingsSchema } from '../contract/contract-settings.ts';
import { isSameFile } from '../disk/same-file.ts';
import { DealsheetError } from '../errors.ts';
import { configurationFolder, stateFolder } from './folders.ts';

const wholeNumber = z.int().positive();

const percentage = z.string().regex(/^\d+(\.\d+)?%$/, 'a percentage is wanted, such as "20%"');
const notifySchema = z
  .strictObject({
    /** A program and its arguments, which get one JSON object on standard input. Never run through a shell. */
    command: z.array(z.string().min(1)).min(1).optional(),
    /** A web address that takes the same object by POST. */
    url: z.url({ protocol: /^https?$/ }).optional(),
    /** The share of wrong rows above which it is told; any by default. */
    wrongAbove: percentage.optional(),
    /** How far rows and sums may be from those of the last load of such a file. */
    unlikeLast: percentage.optional(),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), 'give either "command" or "url"');

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
  /** Nothing is loaded but by a plan that somebody else has made. */
  approval: z.literal('other').optional(),
  /** Who is told when a load fails, stops early or has wrong rows. */
  notify: notifySchema.optional(),
  contract: contractSettingsSchema.optional(),
});

export const configurationSchema = z.strictObject({
  $schema: z.string().optional(),
  profiles: z.record(z.string().min(1), profileSchema).default({}),
  /** The path of the ledger, or where that of a team is: `postgres://USER@HOST/DATABASE`. */
  ledger: z.string().min(1).optional(),
  /** A program and its arguments that print the password of the team's ledger. Never run through a shell. */
  ledgerPasswordCommand: z.array(z.string().min(1)).min(1).optional(),
  /** The same for its key, as `dealsheet ledger share` writes it. */
  ledgerKeyCommand: z.array(z.string().min(1)).min(1).optional(),
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
  const files = placesOf(named).flatMap(({ path, isTrusted }) => readFile(path, isTrusted) ?? []);
  if (named === null || files.length > 0) return files;
  throw new DealsheetError('usage', `There is no file ${resolve(named)}.`, 'Correct the path given with --config.');
}

const configurationName = 'dealsheet.config.json';
/** Where the user's own settings stand. */
export const ownConfigurationPath = join(configurationFolder, configurationName);

/** Where configuration files are looked for, in the order in which they count: the one that is named, or the usual places. */
export function placesOf(named: string | null): readonly { readonly path: string; readonly isTrusted: boolean }[] {
  if (named !== null) return [{ path: resolve(named), isTrusted: true }];
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
  if (first === null || second === undefined || first.isTrusted) return first;
  throw new DealsheetError(
    'usage',
    `The profile "${name}" is in two files: your own ${second.file}, and ${first.file} in the folder where you started the command. That one cannot replace yours.`,
    `Take the profile out of ${first.file}, give it another name there, or name the file that you mean with --config. Nothing was sent.`,
  );
}

/** A path in a configuration file counts from the folder of that file. */
export function besideConfiguration(file: string, path: string): string {
  return resolve(dirname(file), path);
}

export interface PrivateFlags {
  readonly config?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly sandboxData?: string | undefined;
}

/** What no attachment may name: settings, tokens, and records of the sandbox. Ledgers are known by their keys. */
export function privatePathsOf({ config, tokenFile, sandboxData }: PrivateFlags): readonly string[] {
  const files = readConfiguration(config ?? null);
  const tokenFiles = files.flatMap(({ path, settings }) =>
    Object.values(settings.profiles).flatMap((profile) =>
      profile.tokenFile === undefined ? [] : [besideConfiguration(path, profile.tokenFile)],
    ),
  );
  const { DEALSHEET_TOKEN_FILE: ofEnvironment } = process.env;
  const named = [tokenFile, ofEnvironment, sandboxData].flatMap((path) => path || []);
  return [configurationFolder, stateFolder, ...files.map(({ path }) => path), ...tokenFiles, ...named];
}

function readFile(path: string, isTrusted: boolean): ConfigurationFile | null {
  const json = jsonIn(path);
  if (json === undefined) return null;
  const parsed = configurationSchema.safeParse(json);
  if (parsed.success) return { path, isTrusted, settings: parsed.data };
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the whole file'}: ${issue.message}`);
  throw new DealsheetError(
    'usage',
    `The configuration ${path} is not right: ${faults.join('; ')}.`,
    'Correct it and try again.',
  );
}

/** What a configuration file says, as it says it; `undefined` when it is not there. */
export function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const what = code === undefined ? `is not JSON: ${message}` : `cannot be read (${code})`;
    throw new DealsheetError('usage', `The configuration ${path} ${what}.`, 'Correct it and try again.', { cause });
  }
}
