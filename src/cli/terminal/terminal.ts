/** Speaking to a person: messages and questions on standard error; standard output carries results alone. */
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { visibleText } from '../../service/plain-text.ts';
import { putOut } from './standard-streams.ts';
import { resultAsShown } from './visible-text.ts';
import { endWaiting, wait } from './waiting-line.ts';
import { fittedTo } from './wrapped-lines.ts';

export interface Terminal {
  /** Whether a person sits at it: only then is anything asked. */
  readonly isInteractive: boolean;
  /** A message, unless the person asked for quiet. */
  say(text: string): void;
  /** A message that also a quiet run gives. */
  warn(text: string): void;
  /** What goes on meanwhile: it stands on the last line of a terminal until the next message. Not said to a quiet run. */
  wait(text: string): void;
  ask(question: string): Promise<boolean>;
  /** What the person types, or `null` when the input has ended. */
  askText(question: string): Promise<string | null>;
  /** The same, and what is typed is not shown. */
  askSecret(question: string): Promise<string | null>;
  /** The result itself, on standard output. */
  print(text: string): void;
  /** The same, where it is a text for a person: on a terminal it is broken to its width. */
  tell(text: string): void;
}

export function openTerminal(options: { readonly quiet: boolean }): Terminal {
  const write = (text: string) => {
    endWaiting();
    process.stderr.write(`${fittedTo(process.stderr, visibleText(text))}\n`);
  };
  return {
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    say: (text) => {
      if (!options.quiet) write(text);
    },
    warn: write,
    wait: (text) => {
      if (!options.quiet) wait(text);
    },
    ask,
    askText,
    askSecret,
    print: (text) => {
      endWaiting();
      putOut(`${resultAsShown(text)}\n`);
    },
    tell: (text) => {
      endWaiting();
      putOut(`${fittedTo(process.stdout, resultAsShown(text))}\n`);
    },
  };
}

async function ask(question: string): Promise<boolean> {
  const typed = await askText(`${question} [y/N] `);
  return typed !== null && /^y(es)?$/i.test(typed.trim());
}

async function askText(question: string): Promise<string | null> {
  endWaiting();
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  let isAnswered = false;
  reader.once('close', () => {
    // Where the input ends, the cursor stands behind the question.
    if (!isAnswered) process.stderr.write('\n');
  });
  reader.once('SIGINT', () => leave(reader));
  // Gone on with after Ctrl-Z, the reader waits for nothing until it is told to, and the command would end without a word.
  reader.on('SIGCONT', () => reader.resume());
  try {
    const typed = await Promise.race([reader.question(asQuestion(question)).catch(() => null), ended(reader)]);
    isAnswered = typed !== null;
    return typed;
  } finally {
    reader.close();
  }
}

function asQuestion(question: string): string {
  return fittedTo(process.stderr, visibleText(question));
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

async function askSecret(question: string): Promise<string | null> {
  endWaiting();
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  // From here on the terminal shows nothing of what is typed: the question comes after that.
  const reader = createInterface({ input: process.stdin, output: unseen, terminal: true });
  process.stderr.write(asQuestion(question));
  // However it ends: the key that ends it is not shown either.
  reader.once('close', () => process.stderr.write('\n'));
  reader.once('SIGINT', () => leave(reader));
  reader.on('SIGCONT', () => {
    reader.resume();
    // The reader has the terminal show nothing only after this event.
    setImmediate(() => process.stderr.write(asQuestion(question)));
  });
  try {
    return await Promise.race([reader.question('').catch(() => null), ended(reader)]);
  } finally {
    reader.close();
  }
}
