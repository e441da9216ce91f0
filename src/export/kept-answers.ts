/** Keeps answers of the service in a private folder on disk, where they can be read repeatedly. */

import { appendFileSync, closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownerOnly } from '../disk/new-file.ts';
import { trackFile, untrackFile } from '../disk/tracked-files.ts';
import { errorOf } from '../messages/text.ts';
import type { BodyKeeper } from '../service/answer.ts';
import { decodedBy, JsonReader } from './exact-json.ts';

const pieceLength = 1 << 14;

/** Runs the work with a folder that only its owner can read, and removes the folder afterwards. */
export async function withAnswerFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'dealsheet-export-'));
  trackFile(folder);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    untrackFile(folder);
  }
}

export class FileKeeper implements BodyKeeper {
  readonly path: string;
  failure: Error | null = null;

  constructor(path: string) {
    this.path = path;
  }

  begin(): void {
    this.#try(() => writeFileSync(this.path, '', { mode: ownerOnly }));
  }

  add(chunk: Buffer): void {
    this.#try(() => appendFileSync(this.path, chunk));
  }

  /** @throws DealsheetError `output-failed` when the answer could not be kept */
  settle(): void {
    if (this.failure === null) return;
    const why = (this.failure as NodeJS.ErrnoException).code ?? this.failure.message;
    throw errorOf('answer-not-kept', { why, folder: tmpdir() }, this.failure);
  }

  #try(work: () => void): void {
    if (this.failure !== null) return;
    try {
      work();
    } catch (error) {
      this.failure = error as Error;
    }
  }
}

/** Reads a kept answer from its beginning. The caller must call `close`. */
export function openAnswer(path: string): { reader: JsonReader; close: () => void } {
  const descriptor = openSync(path, 'r');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const buffer = Buffer.alloc(pieceLength);
  function* pieces(): Generator<string> {
    for (let length = pieceLength; length > 0; ) {
      length = readSync(descriptor, buffer, 0, pieceLength, null);
      yield decodedBy(decoder, buffer.subarray(0, length), length > 0);
    }
  }
  return { reader: new JsonReader(pieces()), close: () => closeSync(descriptor) };
}
