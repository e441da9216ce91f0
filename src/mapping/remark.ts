/**
 * What is said of a cell, in words that know which of them come from the cell. A field that must stay hidden is spoken of
 * without those, whoever wrote the words: no reader of values has to think of it.
 */
import { asSaid, type asSaidTexts } from '../messages/as-said.ts';
import { type Finding, findingOfValue, type Severity, type Subject } from '../messages/finding.ts';
import { hiddenMark } from '../messages/shown-value.ts';

/** Continues a sentence that begins with the field and its value (`… is read as 1250.`). */
export interface Remark {
  readonly text: string;
  /** The same for a field whose value must not be shown. */
  readonly hidden: string;
}

/**
 * A remark as a tagged template. Whatever is put into it is taken to come from the cell and is hidden with it; only other
 * remarks are words of ours.
 */
export function remark(words: TemplateStringsArray, ...parts: readonly (Remark | string | number)[]): Remark {
  let text = words[0] ?? '';
  let hidden = text;
  parts.forEach((part, index) => {
    const next = words[index + 1] ?? '';
    text += `${typeof part === 'object' ? part.text : part}${next}`;
    hidden += `${typeof part === 'object' ? part.hidden : hiddenMark}${next}`;
  });
  return { text, hidden };
}

/** A remark that says something else of a hidden value than of one that is shown: what was decided, without what it came to. */
export function orHidden(shown: Remark, hidden: Remark): Remark {
  return { text: shown.text, hidden: hidden.hidden };
}

/** One remark behind the other. */
export function remarks(all: readonly Remark[]): Remark {
  return { text: all.map(({ text }) => text).join(' '), hidden: all.map(({ hidden }) => hidden).join(' ') };
}

/** A finding about a value, in words that have no code of their own yet. */
export function saidOfValue(
  severity: Severity,
  column: number | null,
  subject: Subject,
  { value, said }: { readonly value: string; readonly said: Remark },
  code?: keyof typeof asSaidTexts,
): Finding {
  const message = asSaid(subject.sensitive ? said.hidden : said.text, said.hidden, code);
  return findingOfValue(severity, column, subject, value, message);
}
