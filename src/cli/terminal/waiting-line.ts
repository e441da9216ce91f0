/**
 * Says on the last line of a terminal what goes on while nothing else is said: a person who sees nothing for a minute takes the
 * program for dead. Its one rule: the line is gone before anything else is written. Elsewhere than at a terminal it is not written.
 */
import { visibleText } from '../../service/plain-text.ts';

/** What ends sooner needs no word; later, a change of the text is seen this often. */
const betweenDrawingsMs = 500;
/** Some terminals do not know how wide they are. */
export const usualColumns = 80;
const clearedLine = '\r\u001b[K';

let timer: NodeJS.Timeout | null = null;
let text = '';
let isDrawn = false;
let clearOther: (() => void) | null = null;

/**
 * Gives the last line to something else that is drawn there, such as a bar, until the next message.
 *
 * @param clear  takes it away before anything else is written
 */
export function takeLastLine(clear: () => void): void {
  endWaiting();
  clearOther = clear;
}

export function wait(meanwhile: string): void {
  if (process.stderr.isTTY !== true) return;
  text = visibleText(meanwhile);
  timer ??= setInterval(draw, betweenDrawingsMs).unref();
}

/** To be called before anything is written to the terminal, and once there is nothing to wait for any more. */
export function endWaiting(): void {
  if (timer !== null) clearInterval(timer);
  timer = null;
  if (isDrawn) process.stderr.write(clearedLine);
  isDrawn = false;
  clearOther?.();
  clearOther = null;
}

function draw(): void {
  const room = (process.stderr.columns || usualColumns) - 1;
  process.stderr.write(`${clearedLine}${text.slice(0, room)}`);
  isDrawn = true;
}
