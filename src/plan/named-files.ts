/** The files that a load would send: a person sees them before anything leaves. */
import type { NamedFile } from '../staging/attachment-files.ts';
import type { JudgedRow } from '../staging/staged-data.ts';

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

  add({ file }: JudgedRow): void {
    if (file === null) return;
    this.#files += 1;
    this.#bytes += file.size;
    if (this.#examples.length < mostExamples) this.#examples.push(file);
  }

  get found(): FilesFound {
    return { files: this.#files, bytes: this.#bytes, examples: this.#examples };
  }
}
