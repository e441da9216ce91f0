/** How a source is read: what `check` and `import` have in common. */
import type { CheckLevels } from '../contract/check-codes.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { DateOrder } from '../contract/date-order.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { isFull, resultCodeOf } from '../disk/database.ts';
import { LockedFile } from '../disk/locked-file.ts';
import { DealsheetError, isDealsheetError } from '../errors.ts';
import { isSandbox } from '../ledger/run-records.ts';
import type { ColumnClues } from '../mapping/format-inference.ts';
import type { IgnoredNames } from '../mapping/headers.ts';
import type { NamedMapping } from '../mapping/mapping-file/read-mapping.ts';
import { asReader } from '../messages/ways.ts';
import { openSource } from '../sheets/open-source.ts';
import type { Source } from '../sheets/source.ts';
import type { AttachmentPlace } from './attachment-files.ts';
import { corrected, type NamedCorrections } from './source/corrections.ts';
import { matchSource } from './source/matched-source.ts';
import { keptMappings, rememberedMapping } from './source/remembered-mappings.ts';
import { copyName, type SourceCopy } from './source/source-copy.ts';
import { type Reading, type Staged, stage } from './stage.ts';
import { Staging } from './staging.ts';

/** Which cells of sensitive columns (SSN, date of birth) are shown as stars. */
export const maskModes = ['rows that are in', 'all', 'none'] as const;
export type MaskMode = (typeof maskModes)[number];

export interface ReadingOptions {
  /** The path of the source; `-` for standard input. */
  readonly file: string;
  readonly kind: RecordKind | null;
  readonly sheet: string | null;
  readonly ignoredColumns: IgnoredNames;
  readonly ignoredSheets: IgnoredNames;
  readonly encoding: string | null;
  readonly delimiter: string | null;
  readonly mapping: NamedMapping | null;
  /** What a person corrected in it without touching the file, or `null`. */
  readonly corrections: NamedCorrections | null;
  /** Where remembered mappings stand, or `null` to use none. */
  readonly mappingsFolder: string | null;
  readonly dateOrder: DateOrder | null;
  /** What the cells of columns have shown in earlier readings of their rows: results hide cells, and may have fewer rows. */
  readonly clues: readonly ColumnClues[];
  readonly contract: ContractSettings;
  /** The levels of checks that were chosen for this reading: they go above those of the mapping, and those of the contract. */
  readonly checks: CheckLevels;
  /** The folder that file cells may name, or `null` for the source's own. */
  readonly attachmentsFolder: string | null;
  /** Files and folders that no attachment may name, such as those of tokens. */
  readonly privatePaths: readonly string[];
  /** Where the results go, or `null` for the place beside the source. */
  readonly resultsPath: string | null;
  readonly mask: MaskMode;
  /** A folder of ours for private copies. */
  readonly sourcesFolder: string;
  readonly standardInput: NodeJS.ReadableStream;
}

export function attachmentsFolderOf(options: ReadingOptions, sourceCopy: SourceCopy): string {
  return options.attachmentsFolder ?? sourceCopy.sourceFolder;
}

export function attachmentsOf(options: ReadingOptions, sourceCopy: SourceCopy): AttachmentPlace {
  const { privatePaths, sourcesFolder } = options;
  return { folder: attachmentsFolderOf(options, sourceCopy), privatePaths, sourcesFolder };
}

/** Does what is to be done with the private copy and the staging of its rows, and takes both out of use. */
export async function withStaging<Result>(
  sourceCopy: SourceCopy,
  options: ReadingOptions,
  use: (source: Source, staging: Staging) => Promise<Result>,
): Promise<Result> {
  const { encoding = null, delimiter = null } = options.mapping?.mapping ?? {};
  const copy = await openSource(sourceCopy.path, {
    encoding: options.encoding ?? encoding,
    delimiter: options.delimiter ?? delimiter,
    name: sourceCopy.sourceName,
    verifiesLater: true,
  });
  const source = corrected(copy, options.corrections);
  try {
    const place = LockedFile.begin(sourceCopy.folder, copyName);
    try {
      const staging = Staging.create(place.path);
      try {
        return await use(source, staging);
      } catch (error) {
        throw resultCodeOf(error) === 0 ? error : stagingFailed(place.path, error);
      } finally {
        staging.close();
      }
    } finally {
      place.remove();
    }
  } finally {
    await source.close();
  }
}

/** What is in is in the ledger: the rows are staged again by whatever goes on. */
function stagingFailed(path: string, cause: unknown): DealsheetError {
  const [code, why, remedy] = isFull(cause)
    ? (['unreadable-source', 'has no room on its disk', 'Make room there.'] as const)
    : (['copy-changed', 'was changed by another program, or its disk fails', 'Look at that disk.'] as const);
  return new DealsheetError(
    code,
    `The private copy of the rows, ${path}, ${why}.`,
    `${remedy} Then import the file again, or resume its run: what is in is not sent a second time.`,
    { cause },
  );
}

/** The same choices with the mapping that is remembered for this source, when none was named. */
export async function withMapping<Options extends ReadingOptions>(source: Source, options: Options): Promise<Options> {
  if (options.mapping !== null || options.mappingsFolder === null) return options;
  return { ...options, mapping: await rememberedMapping(source, options.mappingsFolder, options) };
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
    // Whatever else is found wrong with a damaged file, the damage is what the person has to know.
    await source.verify();
  }
}

/** The levels of the checks that hold for a reading: of a profile, a mapping, and what was said now. */
export function levelsOf(
  { contract, mapping, checks }: Pick<ReadingOptions, 'contract' | 'mapping' | 'checks'>,
  service: string | null,
): CheckLevels {
  // A rehearsal may have the example rows of a template.
  const rehearsal: CheckLevels =
    service !== null && isSandbox(service) ? { 'example-row': 'off', 'example-like': 'off' } : {};
  return { ...rehearsal, ...contract.checks, ...mapping?.mapping.checks, ...checks };
}

/** A file of other headers may be nearly one for which a mapping is remembered: named, the mapping says what differs. */
function withKeptMappings(error: unknown, { mapping, mappingsFolder }: ReadingOptions): unknown {
  if (!isDealsheetError(error) || error.code !== 'unmatched-columns' || mapping !== null || mappingsFolder === null)
    return error;
  const kept = keptMappings(mappingsFolder);
  if (kept.length === 0) return error;
  const further = ` No remembered mapping has exactly the headers of the file. If one is meant, name it with --mapping to see what differs: ${kept.join(', ')}`;
  return new DealsheetError(error.code, error.message, error.remedy + asReader(further, ''), { cause: error });
}
