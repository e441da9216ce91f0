/** How a source is read, for `check` and `import` alike. */

import type { CheckLevels } from '../contract/check-codes.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { DateOrder } from '../contract/date-order.ts';
import { resultCodeOf } from '../disk/database.ts';
import { beginLockedFile } from '../disk/locked-file.ts';
import { isDealsheetError, isForRoom } from '../errors.ts';
import { isSandbox } from '../ledger/run-records.ts';
import type { ColumnClues } from '../mapping/format-inference.ts';
import { readMapping } from '../mapping/mapping-file/read-mapping.ts';
import { errorOf } from '../messages/text.ts';
import { openSource } from '../tables/open-source.ts';
import type { Source } from '../tables/source.ts';
import type { AttachmentPlace } from './attachment-files.ts';
import { corrected, type NamedCorrections } from './source/corrections.ts';
import type { MatchOptions } from './source/matched-source.ts';
import { matchSource } from './source/matched-source.ts';
import { rememberedMapping, rememberedPaths } from './source/remembered-mappings.ts';
import { copyName, type SourceCopy } from './source/source-copy.ts';
import { type Reading, type Staged, stage } from './stage.ts';
import { createStaging, type Staging } from './staging.ts';

/** Which cells of sensitive columns (SSN, date of birth) are masked. */
export const maskModes = ['rows that are in', 'all', 'none'] as const;
export type MaskMode = (typeof maskModes)[number];

export interface ReadingOptions extends MatchOptions {
  readonly encoding: string | null;
  readonly delimiter: string | null;
  /** Corrections that a person made without changing the file, or `null`. */
  readonly corrections: NamedCorrections | null;
  /** The folder of remembered mappings, or `null` to use none. */
  readonly mappingsFolder: string | null;
  readonly dateOrder: DateOrder | null;
  /** What earlier readings inferred about columns. Results mask cells and may have fewer rows, so they show less. */
  readonly clues: readonly ColumnClues[];
  readonly contract: ContractSettings;
  /** The check levels chosen for this run. They override those of the mapping and the contract. */
  readonly checks: CheckLevels;
  /** The folder for file cells, or `null` for the folder of the source. */
  readonly attachmentsFolder: string | null;
  /** Files and folders that no attachment may name, such as token files. */
  readonly privatePaths: readonly string[];
  /** Where the results go, or `null` for beside the source. */
  readonly resultsPath: string | null;
  readonly mask: MaskMode;
  /** The private folder for source copies. */
  readonly sourcesFolder: string;
  readonly standardInput: NodeJS.ReadableStream;
}

export function attachmentsOf(options: ReadingOptions, { sourceFolder }: SourceCopy): AttachmentPlace {
  const { attachmentsFolder, privatePaths, sourcesFolder } = options;
  return { folder: attachmentsFolder ?? sourceFolder, privatePaths, sourcesFolder };
}

/** Opens the private copy and a new staging database for `use`. Afterwards closes both and deletes the database. */
export async function withStaging<Result>(
  sourceCopy: SourceCopy,
  options: ReadingOptions,
  use: (source: Source, staging: Staging) => Promise<Result>,
): Promise<Result> {
  const source = await openCopy(sourceCopy, options).catch((error: unknown) =>
    openAsRemembered(sourceCopy, options, error),
  );
  try {
    return await inPrivateFile(sourceCopy.folder, (staging) => use(source, staging));
  } finally {
    await source.close();
  }
}

async function openCopy({ path, sourceName }: SourceCopy, options: ReadingOptions): Promise<Source> {
  const { encoding: usualEncoding, delimiter = null } = options.mapping?.mapping ?? {};
  const source = await openSource(path, {
    encoding: options.encoding,
    usualEncoding,
    delimiter: options.delimiter ?? delimiter,
    name: sourceName,
    verifiesLater: true,
  });
  return corrected(source, options.corrections);
}

/** Opens a file that only the remembered mapping with exactly its headers can read, as it names the character set. */
async function openAsRemembered(copy: SourceCopy, options: ReadingOptions, error: unknown): Promise<Source> {
  const { mapping, mappingsFolder: folder } = options;
  if (mapping !== null || folder === null) throw error;
  for (const path of rememberedPaths(folder)) {
    const opened = async () => openCopy(copy, { ...options, mapping: readMapping(path) });
    const source = await opened().catch(() => null);
    if (source === null) continue;
    const fitting = await rememberedMapping(source, folder, options).catch(() => null);
    if (fitting?.path === path) return source;
    await source.close();
  }
  throw error;
}

async function inPrivateFile<Result>(folder: string, use: (staging: Staging) => Promise<Result>): Promise<Result> {
  try {
    const place = beginLockedFile(folder, copyName);
    try {
      const staging = createStaging(place.path);
      try {
        return await use(staging);
      } finally {
        staging.close();
      }
    } finally {
      place.remove();
    }
  } catch (error) {
    // The ledger has every outcome, so the next run can stage the rows again.
    if (isForRoom(error)) throw errorOf('rows-without-room', { folder }, error);
    if (resultCodeOf(error) !== 0) throw errorOf('rows-changed', { folder }, error);
    throw error;
  }
}

/** Adds the remembered mapping for a source if the options name none, and opens a CSV file again as that mapping says. */
export async function withMapping<Options extends ReadingOptions>(
  source: Source,
  copy: SourceCopy,
  given: Options,
): Promise<{ readonly source: Source; readonly options: Options }> {
  if (given.mapping !== null || given.mappingsFolder === null) return { source, options: given };
  const options = { ...given, mapping: await rememberedMapping(source, given.mappingsFolder, given) };
  const { encoding, delimiter } = options.mapping?.mapping ?? {};
  const isSaid = source.format === 'csv' && (encoding ?? delimiter) !== undefined;
  return { source: isSaid ? await openCopy(copy, options) : source, options };
}

export async function stageSource(
  source: Source,
  sourceCopy: SourceCopy,
  staging: Staging,
  options: ReadingOptions,
  reading: Reading,
): Promise<Staged> {
  try {
    const matched = await matchSource(source, options).catch((error: unknown) => {
      throw withKeptMappings(error, options);
    });
    return await stage(matched, staging, {
      contract: options.contract,
      checks: levelsOf(options, reading.service),
      dateOrder: options.dateOrder,
      clues: options.clues,
      attachments: attachmentsOf(options, sourceCopy),
      ...reading,
    });
  } finally {
    // If the file is damaged, that error takes precedence over any other.
    await source.verify();
  }
}

/** The check levels of a reading. Options override the mapping, which overrides the profile. */
export function levelsOf(
  { contract, mapping, checks }: Pick<ReadingOptions, 'contract' | 'mapping' | 'checks'>,
  service: string | null,
): CheckLevels {
  // A rehearsal may load the example rows of a template.
  const rehearsal: CheckLevels =
    service !== null && isSandbox(service) ? { 'example-row': 'off', 'example-like': 'off' } : {};
  return { ...rehearsal, ...contract.checks, ...mapping?.mapping.checks, ...checks };
}

/** Adds the names of the remembered mappings: the file may be meant for one of them. */
function withKeptMappings(error: unknown, { mapping, mappingsFolder }: ReadingOptions): unknown {
  if (!isDealsheetError(error) || error.code !== 'unmatched-columns' || mapping !== null || mappingsFolder === null)
    return error;
  const kept = rememberedPaths(mappingsFolder);
  if (kept.length === 0) return error;
  return errorOf('kept-mappings-differ', { said: error.message, remedy: error.remedy, kept }, error);
}
