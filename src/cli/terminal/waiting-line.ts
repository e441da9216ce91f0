/**
 * Says on the last line of a terminal what goes on while nothing else is said. Its one rule: the line is gone before anything
 * else is written. Elsewhere than at a terminal it is not written.
 */
import { visibleText } from '../../service/plain-text.ts';

/** What ends sooner needs no word; later, a change of the text is seen this often. */
const betweenDrawingsMs = 500;
/** Some terminals do not know how wide they are. */
const usualColumns = 80;
const clearedLine = '\r\u001b[K';

let timer: NodeJS.Timeout | null = null;
let text = () => '';
let isDrawn = false;

/** @param meanwhile  asked each time the line is drawn */
export function wait(meanwhile: () => string): void {
  if (process.stderr.isTTY !== true) return;
  text = meanwhile;
  timer ??= setInterval(draw, betweenDrawingsMs).unref();
}

/** To be called before anything is written to the terminal, and once there is nothing to wait for any more. */
export function endWaiting(): void {
  if (timer !== null) clearInterval(timer);
  timer = null;
  if (isDrawn) process.stderr.write(clearedLine);
  isDrawn = false;
}

function draw(): void {
  const room = (process.stderr.columns || usualColumns) - 1;
  process.stderr.write(`${clearedLine}${visibleText(text()).slice(0, room)}`);
  isDrawn = true;
}
