/** Profiles and defaults, in the user's own file or one named by `--config`. A file that the user did not choose has no effect. */

import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import * as z from 'zod';
import type { DeclaredAnswers } from '../contract/answer-rules.ts';
import { assumedContract, contractSettingsSchema } from '../contract/contract-settings.ts';
import { faultsIn } from '../contract/profile-parts.ts';
import type { RecordKindName } from '../contract/record-kind.ts';
import { folderOwnerOnly, isSameFile, nextFreeName, ownerOnly, permissionBits } from '../disk/new-file.ts';
import { openTemporaryFile } from '../disk/temporary-file.ts';
import { shellWord } from '../messages/commands.ts';
import { textIn } from '../messages/plain-text.ts';
import { errorOf } from '../messages/text.ts';
import type { Flags } from './flags.ts';

const { config, data } = envPaths('dealsheet', { suffix: '' });

/** The user's own settings, which count as the user's choice. */
const configurationFolder = config;
export const mappingsFolder = join(configurationFolder, 'mappings');
/** Ledgers, private copies and sandbox records. */
export const stateFolder = data;
export const defaultSandboxData = join(stateFolder, 'sandbox.db');

const wholeNumber = z.int().positive();
const positive = z.number().positive();
/** A program and its arguments. Never run through a shell. */
const program = z.array(z.string().min(1)).min(1);

/** Parses `20%` to 0.2. */
const percentage = z
  .string()
  .regex(/^\d+(\.\d+)?%$/, 'must be a percentage, such as "20%"')
  .transform((text) => Number(text.slice(0, -1)) / 100);
const notifySchema = z
  .strictObject({
    /** Gets one JSON object on stdin. */
    command: program.optional(),
    /** A web address that gets the same object by POST. */
    url: z.url({ protocol: /^https?$/ }).optional(),
    /** Notifies when the share of wrong rows is above this; any wrong row by default. */
    wrongAbove: percentage.optional(),
    /** Notifies when rows or sums differ from the last load of such a file by more than this share. */
    unlikeLast: percentage.optional(),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), 'give either "command" or "url"');

const profileSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  tokenCommand: program.optional(),
  /** A file with the token, readable only by its owner. */
  tokenFile: z.string().min(1).optional(),
  concurrency: wholeNumber.optional(),
  /** The most requests a second. */
  rate: positive.optional(),
  timeout: positive.optional(),
  /** Transactions in one request. */
  batch: wholeNumber.optional(),
  /** The service accepts an Idempotency-Key header, so creates may be retried. */
  idempotencyKey: z.boolean().optional(),
  /** Accepts any certificate, when NODE_TLS_REJECT_UNAUTHORIZED=0 is set too. */
  insecureTls: z.boolean().optional(),
  /** Loads only by a plan that another person made. */
  approval: z.literal('other').optional(),
  /** Who is notified when a load fails, stops early or has wrong rows. */
  notify: notifySchema.optional(),
  contract: contractSettingsSchema.optional(),
});

const { idempotencyHeader } = assumedContract;
const consistentProfile = profileSchema.refine(
  ({ contract, idempotencyKey }) =>
    idempotencyKey !== undefined || (contract?.idempotencyHeader ?? idempotencyHeader) === idempotencyHeader,
  'An "idempotencyHeader" is sent with "idempotencyKey": true alone. Give it if the same key makes no second record.',
);

export const configurationSchema = z.strictObject({
  $schema: z.string().optional(),
  profiles: z.record(z.string().min(1), consistentProfile).default({}),
  /** Your name. Runs and settled rows show it before the user name. */
  person: z
    .string()
    .regex(/^\S(.{0,78}\S)?$/, 'must be a name on one line')
    .optional(),
  /** The path of the ledger, or the address of a team's: `postgres://USER@HOST/DATABASE`. */
  ledger: z.string().min(1).optional(),
  /** Prints the password of the team's ledger. */
  ledgerPasswordCommand: program.optional(),
  /** Prints its key, as `dealsheet ledger share` writes it. */
  ledgerKeyCommand: program.optional(),
});

export type Profile = z.output<typeof profileSchema>;

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
 * @param named  the file given with `--config`, which is then the only one
 * @throws DealsheetError `usage` when the file is not JSON, does not match the schema, or is named and missing; also when the
 * working folder has one that is not named, because another person may have put it there
 */
export function readConfiguration(named: string | undefined): Configuration {
  const path = named === undefined ? ownConfigurationPath : resolve(named);
  const here = resolve(configurationName);
  if (named === undefined && existsSync(here) && !isSameFile(here, path))
    throw errorOf('configuration-not-chosen', { here, name: configurationName, own: shellWord(path) });
  const json = jsonIn(path);
  if (json === undefined && named !== undefined) throw errorOf('configuration-missing', { path });
  const parsed = configurationSchema.safeParse(json ?? {});
  if (parsed.success) return { path, isThere: json !== undefined, settings: parsed.data };
  const faults = faultsIn(parsed.error.issues).map(
    (fault) => `${fault.path.join('.') || 'the whole file'}: ${fault.message.replace(/\.$/, '')}`,
  );
  throw errorOf('configuration-invalid', { path, faults: faults.join('; '), isJson: true });
}

/** @throws DealsheetError `usage` when the configuration has no such profile; lists the known ones */
export function findProfile(configuration: Configuration, name: string): FoundProfile {
  const found = profileNamed(configuration, name);
  if (found !== null) return found;
  const known = profileNames(configuration).join(', ');
  throw errorOf('unknown-profile', { name, known, path: ownConfigurationPath });
}

export function profileNames({ settings }: Configuration): readonly string[] {
  return Object.keys(settings.profiles);
}

export function profileNamed({ path, settings }: Configuration, name: string): FoundProfile | null {
  const profile = Object.hasOwn(settings.profiles, name) ? settings.profiles[name] : undefined;
  return profile === undefined ? null : { name, profile, file: path };
}

export function besideConfiguration(file: string, path: string): string {
  return resolve(dirname(file), path);
}

/** Paths that no attachment may name: settings, tokens and sandbox records. Ledgers are recognized by their keys. */
export function privatePathsOf({ config, tokenFile, sandboxData }: Flags): readonly string[] {
  const { path, settings } = readConfiguration(config);
  const tokenFiles = Object.values(settings.profiles).flatMap((profile) =>
    profile.tokenFile === undefined ? [] : [besideConfiguration(path, profile.tokenFile)],
  );
  const { DEALSHEET_TOKEN_FILE: ofEnvironment } = process.env;
  const named = [tokenFile, ofEnvironment, sandboxData].flatMap((one) => one || []);
  return [configurationFolder, stateFolder, path, ...tokenFiles, ...named];
}

/** The parsed content of a configuration file, unchanged; `undefined` when it is missing. */
function jsonIn(path: string): unknown {
  try {
    return JSON.parse(textIn(readFileSync(path)));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === undefined) throw errorOf('configuration-invalid', { path, faults: message, isJson: false }, cause);
    throw errorOf('settings-unreadable', { path, code }, cause);
  }
}

export interface Said<Value> {
  readonly value: Value;
  /** `--rate`, `DEALSHEET_RATE`, `profile "live" in /…/dealsheet.config.json`, `default`. */
  readonly origin: string;
}

/** The value in force, and the values that it overrides. */
export interface Setting<Value> extends Said<Value> {
  readonly overridden: readonly Said<Value>[];
}

export function settingOf<Value>(said: readonly (Said<Value> | null)[], fallback: Value): Setting<Value> {
  const [first = { value: fallback, origin: 'default' }, ...overridden] = said.filter((one) => one !== null);
  return { ...first, overridden };
}

/** A value with its origin, or `null` when it is not given. */
export function said<Given, Value = Given>(
  origin: string,
  given: Given | undefined,
  read: (given: Given) => Value = (value) => value as unknown as Value,
): Said<Value> | null {
  return given === undefined ? null : { value: read(given), origin };
}

/** The value of `DEALSHEET_<name>`; an empty one counts as none. */
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

/** @throws DealsheetError `usage` when the person's own file is invalid */
export function ownProfile(name: string): Profile | null {
  if (!existsSync(ownConfigurationPath)) return null;
  return profileNamed(readConfiguration(ownConfigurationPath), name)?.profile ?? null;
}

export const usualProfile = 'live';
/** The name is also a file name. */
const usableName = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u;
/** What is typed after a question may be the token, by mistake. Tokens are longer. */
const longestName = 30;

export function profileNameIn(text: string): string {
  const name = text.trim() === '' ? usualProfile : text.trim();
  if (usableName.test(name) && name.length <= longestName) return name;
  throw errorOf('profile-name', { longest: longestName });
}

export interface StoredProfile {
  readonly name: string;
  readonly url: URL;
  /** The token itself, or the absolute path of a file with it. */
  readonly token: { readonly text: string } | { readonly path: string };
}

/**
 * Writes a profile into the person's own file, and its token beside it. Other profiles stay unchanged; an existing profile keeps
 * everything but address and token.
 *
 * @returns the path of the token file
 * @throws DealsheetError `usage` when the file is invalid, `unwritable-results` when it cannot be written
 */
export async function storeProfile({ name, url, token }: StoredProfile): Promise<string> {
  const before = ownProfile(name);
  mkdirSync(configurationFolder, { recursive: true, mode: folderOwnerOnly });
  const path = 'path' in token ? token.path : tokenPath(name, before);
  if ('text' in token) await writeWithMode(path, `${token.text}\n`, ownerOnly);
  const tokenFile = 'path' in token ? token.path : basename(path);
  await declare(ownConfigurationPath, ['profiles', name], (written) => {
    const { tokenCommand: _command, tokenFile: _, ...kept } = writtenPart.parse(written ?? {});
    return { ...kept, url: url.href, tokenFile };
  });
  return path;
}

/**
 * Writes what the answers of a kind mean into the file of a profile.
 *
 * @returns the path of the file
 * @throws DealsheetError `unwritable-results` when it cannot be written
 */
export function declareAnswers(
  { file, name, profile }: FoundProfile,
  kind: RecordKindName,
  declared: DeclaredAnswers,
): Promise<string> {
  const answers = { ...profile.contract?.answers[kind], ...declared };
  return declare(file, ['profiles', name, 'contract', 'answers', kind], () => answers);
}

export async function storeLedger(ledger: string): Promise<void> {
  mkdirSync(configurationFolder, { recursive: true, mode: folderOwnerOnly });
  await declare(ownConfigurationPath, ['ledger'], () => ledger);
}

/** Beside the configuration, named after the profile. Never overwrites the file of another profile. */
function tokenPath(name: string, before: Profile | null): string {
  const path = join(configurationFolder, `${name}.token`);
  const isItsOwn =
    before?.tokenFile !== undefined && besideConfiguration(ownConfigurationPath, before.tokenFile) === path;
  return isItsOwn || !existsSync(path) ? path : nextFreeName(path);
}

/** Keeps the file as written, without defaults. */
const writtenPart = z.looseObject({});

/** Changes one place of a configuration, and keeps the file mode. */
async function declare(file: string, at: readonly string[], changed: (written: unknown) => unknown): Promise<string> {
  const isThere = existsSync(file);
  // Writes to the target of a symbolic link, so that the link stays.
  const path = isThere ? realpathSync(file) : file;
  const mode = isThere ? statSync(path).mode & permissionBits : ownerOnly;
  const within = (written: unknown, [name, ...below]: readonly string[]): unknown => {
    if (name === undefined) return changed(written);
    const part = writtenPart.parse(written ?? {});
    return { ...part, [name]: within(part[name], below) };
  };
  const written = await writeWithMode(path, `${JSON.stringify(within(jsonIn(path), at), null, 2)}\n`, mode);
  chmodSync(written, mode);
  return written;
}

async function writeWithMode(path: string, text: string, mode: number): Promise<string> {
  const file = await openTemporaryFile(path, mode);
  try {
    await file.write(Buffer.from(text));
    return await file.place();
  } catch (error) {
    await file.remove();
    throw error;
  }
}
