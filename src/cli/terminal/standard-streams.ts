/**
 * The standard streams as a schedule gives them: closed, full, or with nobody who reads them. Its one rule: none of that ends a
 * load half way. A message that is lost there is lost; of a result it is known.
 */
import { visibleText } from '../../service/plain-text.ts';

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
