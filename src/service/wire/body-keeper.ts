/** A place for the body of an answer that may be larger than memory. */

export interface BodyKeeper {
  /** A body begins: what was kept of an earlier try is dropped. */
  begin(): void;
  /** Keeps the next bytes, decoded. A fault of the place is remembered as {@link failure}. */
  add(chunk: Buffer): void;
  /** Why the bytes could not be kept, or `null`. */
  readonly failure: Error | null;
}
