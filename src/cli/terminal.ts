/**
 * Talks to a person: messages and questions on stderr, only results on stdout. Either stream may be closed, full or without a
 * reader, which ends no load. A lost message is ignored; a lost result is remembered.
 */
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { visibleText } from '../messages/plain-text.ts';
import { errorOf } from '../messages/text.ts';
import type { Flags } from '../settings/flags.ts';

export interface Terminal {
  /** Whether a person is present. Otherwise nothing is asked. */
  readonly isInteractive: boolean;
  /** A message, unless --quiet is given. */
  say(text: string): void;
  warn(text: string): void;
  /** Shows progress until the next message. Silent with --quiet. */
  progress(text: () => string): void;
  ask(question: string): Promise<boolean>;
  /** The typed text, or `null` when the input has ended. */
  askText(question: string): Promise<string | null>;
  askSecret(question: string): Promise<string | null>;
  print(text: string): void;
}

export function openTerminal({ quiet }: { readonly quiet: boolean }): Terminal {
  return {
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    say: quiet ? () => {} : tell,
    warn: tell,
    progress: quiet ? () => {} : showProgress,
    ask: async (question) => /^y(es)?$/i.test((await asked(`${question} [y/N] `, false))?.trim() ?? ''),
    askText: (question) => asked(question, false),
    askSecret: (question) => asked(question, true),
    print: (text) => putOut(`${text}\n`),
  };
}

export function needConfirmation(flags: Flags, terminal: Terminal): void {
  if (!flags.yes && !terminal.isInteractive) throw errorOf('no-terminal-to-confirm');
}

export async function needYes(flags: Flags, terminal: Terminal, question: string): Promise<void> {
  if (flags.yes || (terminal.isInteractive && (await terminal.ask(question)))) return;
  throw errorOf('change-declined');
}

async function asked(text: string, isSecret: boolean): Promise<string | null> {
  clearProgress();
  const question = folded(visibleText(text), process.stderr);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = isSecret ? { output: unseen, terminal: true } : { output: process.stderr };
  const reader = createInterface({ input: process.stdin, ...output });
  // From here on the terminal does not echo, so the question of a secret is written afterwards.
  if (isSecret) process.stderr.write(question);
  let isEchoed = false;
  reader.once('close', () => {
    if (!isEchoed) process.stderr.write('\n');
  });
  reader.once('SIGINT', () => leave(reader));
  reader.on('SIGCONT', () => {
    // After Ctrl-Z the reader stays paused until it is resumed.
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

/** Resolves when the input ends. A closed terminal raises one error for that, and another for restoring the terminal. */
function ended(reader: Interface): Promise<null> {
  return new Promise((resolve) => {
    reader.once('error', () => reader.close());
    reader.on('error', () => {});
    reader.once('close', () => resolve(null));
  });
}

/** During a question the terminal delivers Ctrl-C as a key. It must end the command as usual. */
function leave(reader: Interface): void {
  reader.close();
  // A signal would arrive only after the question counts as answered.
  if (!process.emit('SIGINT')) process.kill(process.pid, 'SIGINT');
}

/** A closed pipe (`| head`) and a closed terminal: there is no reader, so nothing is lost. */
const goneReaders: readonly (string | undefined)[] = ['EPIPE', 'EIO'];

let lastResult: Promise<void> = Promise.resolve();
let loss: NodeJS.ErrnoException | null = null;

export function ignoreStreamErrors(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.listenerCount('error') === 0) stream.on('error', () => {});
  }
}

/** Writes a result to stdout. On a terminal, control characters are replaced. */
export function putOut(text: string): void {
  clearProgress();
  ignoreStreamErrors();
  const shown = process.stdout.isTTY === true ? visibleText(text) : text;
  lastResult = new Promise((resolve) => {
    process.stdout.write(shown, (error?: NodeJS.ErrnoException | null) => {
      if (error && !goneReaders.includes(error.code)) loss ??= error;
      resolve();
    });
  });
}

/** Waits for all results. @returns the first write error, or `null` */
export async function lossOfResult(): Promise<NodeJS.ErrnoException | null> {
  await lastResult;
  return loss;
}

export function tell(text: string): void {
  clearProgress();
  ignoreStreamErrors();
  process.stderr.write(`${folded(visibleText(text), process.stderr)}\n`);
}

/** A command reaches to the end of its sentence or of its parentheses. What is in quotes is one word. */
const wordOrCommand =
  / *(?:(?:[A-Z_]+=\S+ )?dealsheet (?:'[^']*'|"[^"]*"|.)*?(?:\.(?= [A-Z])|\)[,.]?(?= )|$)|(?:'[^']*'|\\'|"[^"]*")+\S*|\S+)/gs;

/** Breaks long lines at spaces, for a terminal. From its command on, a sentence stays whole: a person copies it. */
export function folded(text: string, { columns }: { readonly columns?: number }): string {
  if (!columns) return text;
  const lines = text.split('\n').map((line) => {
    const margin = ' '.repeat(line.search(/\S|$/) + 2);
    let width = 0;
    return line.replace(wordOrCommand, (words) => {
      const isFull = width > 0 && width + words.length > columns;
      const shown = isFull ? `${margin}${words.trimStart()}` : words;
      width = shown.length + (isFull ? 0 : width);
      return isFull ? `\n${shown}` : shown;
    });
  });
  return lines.join('\n');
}

/** How often a terminal redraws the text. Anything that ends sooner is not shown. */
const betweenDrawingsMs = 500;
export const plainLineIntervalMs = 5000;
const usualColumns = 80;
const clearedLine = '\r\u001b[K';

let timer: NodeJS.Timeout | null = null;
let progressText = () => '';
let isDrawn = false;

/**
 * Shows progress until the next message: on the last line of a terminal, elsewhere as a line every few seconds.
 *
 * @param text  called for each update
 */
export function showProgress(text: () => string): void {
  progressText = text;
  timer ??= setInterval(drawProgress, process.stderr.isTTY === true ? betweenDrawingsMs : plainLineIntervalMs).unref();
}

/** Clears the progress line. Call it before any other write to the terminal. */
export function clearProgress(): void {
  if (timer !== null) clearInterval(timer);
  timer = null;
  if (isDrawn) process.stderr.write(clearedLine);
  isDrawn = false;
}

function drawProgress(): void {
  const text = visibleText(progressText());
  isDrawn = process.stderr.isTTY === true;
  const room = (process.stderr.columns || usualColumns) - 1;
  process.stderr.write(isDrawn ? `${clearedLine}${text.slice(0, room)}` : `${text}\n`);
}
