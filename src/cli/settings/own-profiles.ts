/** The profiles in the person's own configuration folder, written there by the program: readable by the person alone. */
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { folderOwnerOnly, ownerOnly } from '../../file-modes.ts';
import { nextFreeName } from '../../sheets/free-name.ts';
import { openTemporaryFile } from '../../sheets/temporary-file.ts';
import {
  besideConfiguration,
  ownConfigurationPath,
  type Profile,
  profileNamed,
  readConfiguration,
} from './configuration.ts';
import { configurationFolder } from './folders.ts';

/** @throws DealsheetError `usage` when the person's own file is not right as it is */
export function ownProfile(name: string): Profile | null {
  if (!existsSync(ownConfigurationPath)) return null;
  return profileNamed(readConfiguration(ownConfigurationPath), name)?.profile ?? null;
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
  if ('text' in token) await writeOwn(path, `${token.text}\n`);
  const settings = ownSettings();
  const { tokenCommand: _command, tokenFile: _file, ...kept } = settings.profiles[name] ?? {};
  const tokenFile = 'path' in token ? token.path : basename(path);
  const profiles = { ...settings.profiles, [name]: { ...kept, url: url.href, tokenFile } };
  await writeOwn(realPlace(ownConfigurationPath), `${JSON.stringify({ ...settings, profiles }, null, 2)}\n`);
  return path;
}

/** Beside the configuration, under the name of the profile; a file that is none of this profile's is not written over. */
function tokenPath(name: string, before: Profile | null): string {
  const path = join(configurationFolder, `${name}.token`);
  const isItsOwn =
    before?.tokenFile !== undefined && besideConfiguration(ownConfigurationPath, before.tokenFile) === path;
  return isItsOwn || !existsSync(path) ? path : nextFreeName(path);
}

/** What the file says, as it says it: nothing that is merely assumed is written down. */
const writtenSchema = z.looseObject({ profiles: z.record(z.string(), z.looseObject({})).default({}) });

function ownSettings(): z.output<typeof writtenSchema> {
  if (!existsSync(ownConfigurationPath)) return { profiles: {} };
  return writtenSchema.parse(JSON.parse(readFileSync(ownConfigurationPath, 'utf8').replace(/^\uFEFF/, '')));
}

/** A configuration that is kept elsewhere and linked here stays linked. */
function realPlace(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

async function writeOwn(path: string, text: string): Promise<void> {
  const file = await openTemporaryFile(path, ownerOnly);
  try {
    await file.write(Buffer.from(text));
    await file.place();
  } catch (error) {
    await file.remove();
    throw error;
  }
}
