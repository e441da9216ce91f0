/**
 * The standard streams as a schedule gives them: closed, full, or without a reader. None of that ends a load half way.
 * A message that is lost there is lost; of a result it is known.
 */
import { visibleText } from '../../messages/plain-text.ts';

/** A pipe whose reader went away (`| head`), and a terminal that was closed: what nobody wants to read is not missed. */
const goneReaders: readonly (string | undefined)[] = ['EPIPE', 'EIO'];

let lastResult: Promise<void> = Promise.resolve();
let loss: NodeJS.ErrnoException | null = null;

export function keepGoingWhereverTheyLead(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.listenerCount('error') === 0) stream.on('error', () => {});
  }
}

/** Puts a result on standard output: as it is, unless a person looks at it on a terminal, which must obey nobody else. */
export function putOut(text: string): void {
  endWaiting();
  keepGoingWhereverTheyLead();
  const shown = process.stdout.isTTY === true ? visibleText(text) : text;
  lastResult = new Promise((resolve) => {
    process.stdout.write(shown, (error?: NodeJS.ErrnoException | null) => {
      if (error && !goneReaders.includes(error.code)) loss ??= error;
      resolve();
    });
  });
}

/** Waits for what was put out. @returns what kept some of it from where standard output leads, or `null` */
export async function lossOfResult(): Promise<NodeJS.ErrnoException | null> {
  await lastResult;
  return loss;
}

export function tell(text: string): void {
  endWaiting();
  keepGoingWhereverTheyLead();
  process.stderr.write(`${visibleText(text)}\n`);
}

/** On a terminal, a change of the text is seen this often; what ends sooner needs no word. */
const betweenDrawingsMs = 500;
export const plainLineIntervalMs = 5000;
/** Some terminals do not know how wide they are. */
const usualColumns = 80;
const clearedLine = '\r\u001b[K';

let timer: NodeJS.Timeout | null = null;
let meanwhile = () => '';
let isDrawn = false;

/**
 * Says what goes on until the next message: on the last line of a terminal, elsewhere in a line every few seconds.
 *
 * @param text  asked each time it is said
 */
export function wait(text: () => string): void {
  meanwhile = text;
  timer ??= setInterval(tellMeanwhile, process.stderr.isTTY === true ? betweenDrawingsMs : plainLineIntervalMs).unref();
}

/** Takes the line away: to be called before anything else is written to the terminal. */
export function endWaiting(): void {
  if (timer !== null) clearInterval(timer);
  timer = null;
  if (isDrawn) process.stderr.write(clearedLine);
  isDrawn = false;
}

function tellMeanwhile(): void {
  const text = visibleText(meanwhile());
  isDrawn = process.stderr.isTTY === true;
  const room = (process.stderr.columns || usualColumns) - 1;
  process.stderr.write(isDrawn ? `${clearedLine}${text.slice(0, room)}` : `${text}\n`);
}
