/** Reads text without surrounding blanks, lists, and enumerations, which match allowed values without case and punctuation. */
import { posix } from 'node:path';
import { distance } from 'fastest-levenshtein';
import type { Message } from '../../messages/message.ts';
import { messageOf } from '../../messages/text.ts';
import { changed, type FilledCell, fault, isAddress, type Reading, shownText, textOfCell, value } from '../reading.ts';

export function readText(cell: FilledCell): Reading {
  const shown = shownText(cell);
  const trimmed = shown.trim();
  if (trimmed.length === shown.length) return textOfCell(cell, shown);
  return changed(trimmed, messageOf('blanks-around'));
}

/** `./a.txt` and `june/../a.txt` name a.txt. Another name would be another attachment, and be sent again. An address stays. */
export function readFile(cell: FilledCell): Reading {
  const reading = readText(cell);
  if (!reading.ok || isAddress(String(reading.value))) return reading;
  return { ...reading, value: posix.normalize(String(reading.value)).normalize('NFC') };
}

/** Splits a cell at line ends and `;`, or else at `|`. Without any of these, at `,`. */
export function splitList(cell: FilledCell): string[] {
  const text = shownText(cell).trim();
  const mark = [';', '|'].find((each) => text.includes(each));
  const parts = lineEnd.test(text)
    ? text.split(lineEnd).flatMap((line) =>
        line
          .trim()
          .replace(/,$/, '')
          .split(mark ?? lineEnd),
      )
    : text.split(mark ?? ',');
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

const lineEnd = /[\r\n]/;

export function readList(cell: FilledCell): Reading {
  const parts = splitList(cell);
  const shown = parts.join('; ');
  // The comma may be part of a name: `Shah, Pat`.
  if (typeof cell === 'string')
    return parts.length > 1 && !/[;|\r\n]/.test(cell)
      ? changed(parts, messageOf('read-as', { read: shown }))
      : value(parts);
  const reading = textOfCell(cell, shown);
  return reading.ok ? { ...reading, value: parts } : reading;
}

/** E-mail addresses as one text. A list in any usual separator becomes comma-separated (interface 2.4). */
export function readEmails(cell: FilledCell): Reading {
  const text = shownText(cell).trim();
  const joined = splitList(text).join(', ');
  return joined === text || joined.replaceAll(' ', '') === text.replaceAll(' ', '')
    ? value(joined)
    : changed(joined, messageOf('read-as', { read: joined }));
}

export interface Choices {
  readonly allowed: readonly string[];
  find(text: string): string | null;
}

export function choicesOf(allowed: readonly string[], spellings: Readonly<Record<string, string>>): Choices {
  const byFolded = new Map<string, string>();
  for (const choice of [...allowed, ...Object.values(spellings)]) byFolded.set(folded(choice), choice);
  for (const [spelling, choice] of Object.entries(spellings)) byFolded.set(folded(spelling), choice);
  return { allowed, find: (text) => byFolded.get(folded(text)) ?? null };
}

export function readChoice(cell: FilledCell, choices: Choices): Reading {
  const text = shownText(cell).trim();
  const found = choices.find(text);
  if (found === null) return fault(notAllowed(text, choices, null));
  return found === text || choices.allowed.includes(text) ? value(found) : changed(found, readAs(found));
}

export function readChoices(cell: FilledCell, choices: Choices): Reading {
  const parts = splitList(cell);
  const found = parts.map((part) => choices.find(part));
  const missing = parts.filter((_, index) => found[index] === null);
  if (missing.length > 0)
    return fault(...missing.map((part) => notAllowed(part, choices, parts.length === 1 ? null : part)));
  const same = parts.every((part, index) => part === found[index] || choices.allowed.includes(part));
  return same ? value(found) : changed(found, readAs(found.join('; ')));
}

const truths = choicesOf(['TRUE', 'FALSE'], { Yes: 'TRUE', Y: 'TRUE', 1: 'TRUE', No: 'FALSE', N: 'FALSE', 0: 'FALSE' });

export function readTruth(cell: FilledCell): Reading {
  const reading = readChoice(cell, truths);
  return reading.ok ? { ...reading, value: reading.value === 'TRUE' } : reading;
}

/** One letter of few makes another word: `Dead` is not a typo of `Lead`, nor `Inc` of `LLC`. */
const lettersPerSlip = 5;

function nearest(text: string, allowed: readonly string[]): string | null {
  const wanted = folded(text);
  return allowed.find((choice) => distance(wanted, folded(choice)) * lettersPerSlip <= wanted.length) ?? null;
}

function readAs(read: string): Message {
  return messageOf('choice-read-as', { read });
}

function notAllowed(text: string, { allowed }: Choices, part: string | null): Message {
  return messageOf('not-a-choice', { allowed, part, near: nearest(text, allowed) });
}

function folded(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}
