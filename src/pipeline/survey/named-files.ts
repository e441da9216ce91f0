/** The files that a load would send: a person sees them before anything leaves. */
import type { NamedFile } from './attachment-files.ts';
import type { JudgedRow } from './judged-row.ts';

export interface FilesFound {
  readonly files: number;
  readonly bytes: number;
  /** The first of them. */
  readonly examples: readonly NamedFile[];
}

const mostExamples = 50;

export class NamedFiles {
  #files = 0;
  #bytes = 0;
  readonly #examples: NamedFile[] = [];

  /** Those of several sheets together. */
  static ofAll(all: readonly { readonly files: FilesFound }[]): FilesFound {
    return {
      files: all.reduce((sum, { files }) => sum + files.files, 0),
      bytes: all.reduce((sum, { files }) => sum + files.bytes, 0),
      examples: all.flatMap(({ files }) => files.examples).slice(0, mostExamples),
    };
  }

  add({ file }: JudgedRow): void {
    if (file === undefined) return;
    this.#files += 1;
    this.#bytes += file.size;
    if (this.#examples.length < mostExamples) this.#examples.push(file);
  }

  get found(): FilesFound {
    return { files: this.#files, bytes: this.#bytes, examples: this.#examples };
  }
}
