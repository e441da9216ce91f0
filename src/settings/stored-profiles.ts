/** Profiles as the program writes them: into the person's own configuration, or into the file where one stands already. */
import { chmodSync, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import type { DeclaredAnswers } from '../contract/answer-rules.ts';
import type { RecordKindName } from '../contract/record-kind.ts';
import { nextFreeName } from '../disk/free-name.ts';
import { openTemporaryFile } from '../disk/temporary-file.ts';
import { usageError } from '../errors.ts';
import { folderOwnerOnly, ownerOnly, permissionBits } from '../file-modes.ts';
import {
  besideConfiguration,
  configurationFolder,
  type FoundProfile,
  jsonIn,
  ownConfigurationPath,
  type Profile,
  profileNamed,
  readConfiguration,
} from './configuration.ts';

/** @throws DealsheetError `usage` when the person's own file is not right as it is */
export function ownProfile(name: string): Profile | null {
  if (!existsSync(ownConfigurationPath)) return null;
  return profileNamed(readConfiguration(ownConfigurationPath), name)?.profile ?? null;
}

export const usualProfile = 'live';
/** The name is that of a file too. */
const usableName = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;

/** @throws DealsheetError `usage` */
export function profileNameIn(text: string): string {
  const name = text.trim() === '' ? usualProfile : text.trim();
  if (usableName.test(name)) return name;
  throw usageError(
    `"${name}" cannot be the name of a profile.`,
    'Give it letters, digits, dots, dashes and underscores, a letter or a digit first, 64 at most.',
  );
}

export interface StoredProfile {
  readonly name: string;
  readonly url: URL;
  /** The token itself, or the absolute path of a file that holds it. */
  readonly token: { readonly text: string } | { readonly path: string };
}

/**
 * Writes a profile into the person's own file, and its token beside that. Other profiles stay as they are, and of one that was
 * there before, all but its address and its token.
 *
 * @returns the path of the token file
 * @throws DealsheetError `usage` when the file is not right as it is, `unwritable-results` when it cannot be written
 */
export async function storeProfile({ name, url, token }: StoredProfile): Promise<string> {
  const before = ownProfile(name);
  mkdirSync(configurationFolder, { recursive: true, mode: folderOwnerOnly });
  const path = 'path' in token ? token.path : tokenPath(name, before);
  if ('text' in token) await writeWithMode(path, `${token.text}\n`, ownerOnly);
  const tokenFile = 'path' in token ? token.path : basename(path);
  const stored = ({ tokenCommand: _command, tokenFile: _, ...kept }: Written) => ({
    ...kept,
    url: url.href,
    tokenFile,
  });
  await change(ownConfigurationPath, ownerOnly, (settings) => withProfile(settings, name, stored));
  return path;
}

/**
 * Writes down in the file of a profile what the answers of a kind mean; who may read the file stays the same.
 *
 * @returns the path of the file
 * @throws DealsheetError `unwritable-results` when it cannot be written
 */
export async function declareAnswers(
  { file, name, profile }: FoundProfile,
  kind: RecordKindName,
  declared: DeclaredAnswers,
): Promise<string> {
  const answers = { [kind]: { ...profile.contract?.answers[kind], ...declared } };
  const mode = statSync(file).mode & permissionBits;
  const path = await change(file, mode, (settings) =>
    withProfile(settings, name, (written) => {
      const contract = writtenPart.parse(written.contract ?? {});
      const others = writtenPart.parse(contract.answers ?? {});
      return { ...written, contract: { ...contract, answers: { ...others, ...answers } } };
    }),
  );
  chmodSync(path, mode);
  return path;
}

export async function storeLedger(ledger: string): Promise<void> {
  mkdirSync(configurationFolder, { recursive: true, mode: folderOwnerOnly });
  await change(ownConfigurationPath, ownerOnly, (settings) => ({ ...settings, ledger }));
}

/** Beside the configuration, under the name of the profile. The file of another profile is not written over. */
function tokenPath(name: string, before: Profile | null): string {
  const path = join(configurationFolder, `${name}.token`);
  const isItsOwn =
    before?.tokenFile !== undefined && besideConfiguration(ownConfigurationPath, before.tokenFile) === path;
  return isItsOwn || !existsSync(path) ? path : nextFreeName(path);
}

/** What a file says, as it says it: nothing that is merely assumed is written down. */
const writtenPart = z.looseObject({});
type Written = z.output<typeof writtenPart>;

function withProfile(settings: Written, name: string, change: (profile: Written) => Written): Written {
  const profiles = writtenPart.parse(settings.profiles ?? {});
  return { ...settings, profiles: { ...profiles, [name]: change(writtenPart.parse(profiles[name] ?? {})) } };
}

async function change(file: string, mode: number, changed: (settings: Written) => Written): Promise<string> {
  // A configuration that is kept elsewhere and linked here stays linked.
  const path = existsSync(file) ? realpathSync(file) : file;
  const settings = writtenPart.parse(jsonIn(path) ?? {});
  return writeWithMode(path, `${JSON.stringify(changed(settings), null, 2)}\n`, mode);
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
