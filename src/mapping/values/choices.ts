/** Enumerations: matched without case and punctuation, never to anything but an allowed value. */
import { distance } from 'fastest-levenshtein';
import type { Message } from '../../messages/message.ts';
import { valueMessage } from '../../messages/values.ts';
import { changed, type FilledCell, fault, type Reading, shownText, value } from '../reading.ts';
import { splitList } from './texts.ts';

/** Looks a written value up among those that are offered, and gives what is sent. */
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

/** Two letters of three make any word of any other: `Inc` is no slip for `LLC`. */
const shortestSlip = 4;
const mostSlips = 2;

/** The nearest allowed value, when it is near enough to be what was meant. */
function nearest(text: string, allowed: readonly string[]): string | null {
  const wanted = folded(text);
  const isNear = (choice: string) => distance(wanted, folded(choice)) <= mostSlips;
  return wanted.length < shortestSlip ? null : (allowed.find(isNear) ?? null);
}

function readAs(read: string): Message {
  return valueMessage('choice-read-as', { read });
}

/** @param part  of a cell that holds several */
function notAllowed(text: string, { allowed }: Choices, part: string | null): Message {
  return valueMessage('not-a-choice', { allowed, part, near: nearest(text, allowed) });
}

function folded(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}
