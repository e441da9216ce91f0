/**
 * The configuration: profiles and defaults, in the user's own file or in one that is named with `--config`. Its one rule: what
 * the user did not choose says nothing.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import * as z from 'zod';
import { contractSettingsSchema } from '../contract/contract-settings.ts';
import { isSameFile } from '../disk/free-name.ts';
import { usageError } from '../errors.ts';
import { shellWord } from '../messages/commands.ts';
import type { FlagsNamed } from './flags.ts';

const { config, data } = envPaths('dealsheet', { suffix: '' });

/** The user's own settings: what stands there is the user's word. */
export const configurationFolder = config;
export const mappingsFolder = join(configurationFolder, 'mappings');
/** Ledgers, private copies and records of the sandbox. */
export const stateFolder = data;
export const defaultSandboxData = join(stateFolder, 'sandbox.db');

const wholeNumber = z.int().positive();
const positive = z.number().positive();
/** A program and its arguments. Never run through a shell. */
const program = z.array(z.string().min(1)).min(1);

/** `20%` to 0.2 */
const percentage = z
  .string()
  .regex(/^\d+(\.\d+)?%$/, 'a percentage is wanted, such as "20%"')
  .transform((text) => Number(text.slice(0, -1)) / 100);
const notifySchema = z
  .strictObject({
    /** Gets one JSON object on its standard input. */
    command: program.optional(),
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
  tokenCommand: program.optional(),
  /** A file with the token, readable by its owner alone. */
  tokenFile: z.string().min(1).optional(),
  concurrency: wholeNumber.optional(),
  /** Requests a second at most. */
  rate: positive.optional(),
  timeout: positive.optional(),
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
  /** Prints the password of the team's ledger. */
  ledgerPasswordCommand: program.optional(),
  /** The same for its key, as `dealsheet ledger share` writes it. */
  ledgerKeyCommand: program.optional(),
});

export type Profile = z.output<typeof profileSchema>;

/** A profile with the file that it stands in. */
export interface FoundProfile {
  readonly name: string;
  readonly profile: Profile;
  readonly file: string;
}

export interface Configuration {
  readonly path: string;
  readonly isThere: boolean;
  readonly settings: z.output<typeof configurationSchema>;
}

const configurationName = 'dealsheet.config.json';
export const ownConfigurationPath = join(configurationFolder, configurationName);

/**
 * @param named  the file given with `--config`, which then is the only one
 * @throws DealsheetError `usage` when the file is no JSON, says something that the schema does not know, or is named and not there;
 *   and where the working folder has one that is not named: whoever made that folder is not the user
 */
export function readConfiguration(named: string | undefined): Configuration {
  const path = named === undefined ? ownConfigurationPath : resolve(named);
  const here = resolve(configurationName);
  if (named === undefined && existsSync(here) && !isSameFile(here, path))
    throw usageError(
      `There is a configuration in this folder, ${here}, and you did not choose it: anybody may have put it there.`,
      `If it is right, name it with --config ${configurationName}. If you mean your own, name that: --config ${shellWord(path)}. Nothing was sent.`,
    );
  const json = jsonIn(path);
  if (json === undefined && named !== undefined)
    throw usageError(`There is no file ${path}.`, 'Correct the path given with --config.');
  const parsed = configurationSchema.safeParse(json ?? {});
  if (parsed.success) return { path, isThere: json !== undefined, settings: parsed.data };
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the whole file'}: ${issue.message}`);
  throw usageError(`The configuration ${path} is not right: ${faults.join('; ')}.`, 'Correct it and try again.');
}

/** @throws DealsheetError `usage` when the configuration does not have the profile; it names those that there are */
export function findProfile(configuration: Configuration, name: string): FoundProfile {
  const found = profileNamed(configuration, name);
  if (found !== null) return found;
  const known = profileNames(configuration);
  const remedy =
    known.length === 0
      ? `Name the service once with dealsheet setup, or write it into ${ownConfigurationPath}.`
      : `The profiles are: ${known.join(', ')}.`;
  throw usageError(`There is no profile "${name}".`, remedy);
}

export function profileNames({ settings }: Configuration): readonly string[] {
  return Object.keys(settings.profiles);
}

export function profileNamed({ path, settings }: Configuration, name: string): FoundProfile | null {
  const profile = Object.hasOwn(settings.profiles, name) ? settings.profiles[name] : undefined;
  return profile === undefined ? null : { name, profile, file: path };
}

/** A path in a configuration file counts from the folder of that file. */
export function besideConfiguration(file: string, path: string): string {
  return resolve(dirname(file), path);
}

type PrivateFlags = Partial<FlagsNamed<readonly ['config', 'token-file', 'sandbox-data']>>;

/** What no attachment may name: settings, tokens, and records of the sandbox. Ledgers are known by their keys. */
export function privatePathsOf({ config, tokenFile, sandboxData }: PrivateFlags): readonly string[] {
  const { path, settings } = readConfiguration(config);
  const tokenFiles = Object.values(settings.profiles).flatMap((profile) =>
    profile.tokenFile === undefined ? [] : [besideConfiguration(path, profile.tokenFile)],
  );
  const { DEALSHEET_TOKEN_FILE: ofEnvironment } = process.env;
  const named = [tokenFile, ofEnvironment, sandboxData].flatMap((one) => one || []);
  return [configurationFolder, stateFolder, path, ...tokenFiles, ...named];
}

/** What a configuration file says, as it says it; `undefined` when it is not there. */
export function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const what = code === undefined ? `is not JSON: ${message}` : `cannot be read (${code})`;
    throw usageError(`The configuration ${path} ${what}.`, 'Correct it and try again.', cause);
  }
}

export interface Said<Value> {
  readonly value: Value;
  /** `--rate`, `DEALSHEET_RATE`, `profile "live" in /…/dealsheet.config.json`, `default`. */
  readonly origin: string;
}

/** What is in force, and what it stands above. */
export interface Setting<Value> extends Said<Value> {
  readonly overridden: readonly Said<Value>[];
}

/** @param said  in the order in which it counts */
export function settled<Value>(said: readonly (Said<Value> | null)[], fallback: Value): Setting<Value> {
  const [first = { value: fallback, origin: 'default' }, ...overridden] = said.filter((one) => one !== null);
  return { ...first, overridden };
}

/** What one of them says, read as it is meant; `null` where it says nothing. */
export function said<Given, Value = Given>(
  origin: string,
  given: Given | undefined,
  read: (given: Given) => Value = (value) => value as unknown as Value,
): Said<Value> | null {
  return given === undefined ? null : { value: read(given), origin };
}

/** What `DEALSHEET_<name>` says; an empty one counts as none. */
export function saidByVariable<Value = string>(name: string, read?: (text: string) => Value): Said<Value> | null {
  return said(`DEALSHEET_${name}`, process.env[`DEALSHEET_${name}`] || undefined, read);
}

export function saidByProfile<Given, Value = Given>(
  found: FoundProfile | null,
  given: Given | undefined,
  read?: (given: Given) => Value,
): Said<Value> | null {
  return found === null ? null : said(`profile "${found.name}" in ${found.file}`, given, read);
}
