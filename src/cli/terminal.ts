/**
 * Speaking to a person: messages and questions on standard error; standard output carries results alone. In a schedule either
 * may be closed, full or without a reader: that ends no load. A message is lost there; of a result it is known.
 */
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { usageError } from '../errors.ts';
import { visibleText } from '../messages/plain-text.ts';

export interface Terminal {
  /** Whether a person sits at it: only then is anything asked. */
  readonly isInteractive: boolean;
  /** A message, unless the person asked for quiet. */
  say(text: string): void;
  warn(text: string): void;
  /** What goes on meanwhile, until the next message. Not said to a quiet run. */
  wait(text: () => string): void;
  ask(question: string): Promise<boolean>;
  /** What the person types, or `null` when the input has ended. */
  askText(question: string): Promise<string | null>;
  askSecret(question: string): Promise<string | null>;
  print(text: string): void;
}

export function openTerminal({ quiet }: { readonly quiet: boolean }): Terminal {
  return {
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    say: quiet ? () => {} : tell,
    warn: tell,
    wait: quiet ? () => {} : wait,
    ask: async (question) => /^y(es)?$/i.test((await asked(`${question} [y/N] `, false))?.trim() ?? ''),
    askText: (question) => asked(question, false),
    askSecret: (question) => asked(question, true),
    print: (text) => putOut(`${text}\n`),
  };
}

export function needConfirmation(flags: { readonly yes: boolean }, terminal: Terminal): void {
  if (flags.yes || terminal.isInteractive) return;
  throw usageError(
    'This command needs a terminal to ask for confirmation. Nothing was sent.',
    'Add --yes to send without asking.',
  );
}

export async function needYes(flags: { readonly yes: boolean }, terminal: Terminal, question: string): Promise<void> {
  if (flags.yes || (terminal.isInteractive && (await terminal.ask(question)))) return;
  throw usageError('Nothing was changed.', 'Answer yes, or add --yes, to go on.');
}

async function asked(text: string, isSecret: boolean): Promise<string | null> {
  endWaiting();
  const question = visibleText(text);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = isSecret ? { output: unseen, terminal: true } : { output: process.stderr };
  const reader = createInterface({ input: process.stdin, ...output });
  // From here on the terminal shows nothing of a secret that is typed: the question comes after that.
  if (isSecret) process.stderr.write(question);
  let isEchoed = false;
  reader.once('close', () => {
    if (!isEchoed) process.stderr.write('\n');
  });
  reader.once('SIGINT', () => leave(reader));
  reader.on('SIGCONT', () => {
    // Gone on with after Ctrl-Z, the reader waits for nothing until it is told to.
    reader.resume();
    if (isSecret) setImmediate(() => process.stderr.write(question));
  });
  try {
    const typed = await Promise.race([reader.question(isSecret ? '' : question).catch(() => null), ended(reader)]);
    isEchoed = typed !== null && !isSecret;
    return typed;
  } finally {
    reader.close();
  }
}

/** Waits for the end of what can be typed. Of a terminal that is closed it is an error, and giving the terminal back is another. */
function ended(reader: Interface): Promise<null> {
  return new Promise((resolve) => {
    reader.once('error', () => reader.close());
    reader.on('error', () => {});
    reader.once('close', () => resolve(null));
  });
}

/** At a question the terminal hands Ctrl-C over as a key; it ends the command as it does everywhere else. */
function leave(reader: Interface): void {
  reader.close();
  // A signal would arrive only after the question is taken for answered.
  if (!process.emit('SIGINT')) process.kill(process.pid, 'SIGINT');
}

/** A pipe whose reader went away (`| head`), and a terminal that was closed: the output has no reader, so nothing is lost. */
const goneReaders: readonly (string | undefined)[] = ['EPIPE', 'EIO'];

let lastResult: Promise<void> = Promise.resolve();
let loss: NodeJS.ErrnoException | null = null;

export function keepGoingWhereverTheyLead(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.listenerCount('error') === 0) stream.on('error', () => {});
  }
}

/** Puts a result on standard output. On a terminal, characters that command it are replaced. */
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
