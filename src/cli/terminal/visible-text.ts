/** Results as a terminal may show them: what a person looks at obeys nobody else (see `visibleText`). */
import { visibleText } from '../../service/plain-text.ts';

/** A result for standard output: as it is, unless a person looks at it. */
export function resultAsShown(text: string): string {
  return process.stdout.isTTY === true ? visibleText(text) : text;
}
