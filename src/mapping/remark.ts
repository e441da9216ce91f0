/**
 * What is said of a cell, in words that know which of them come from the cell. A field that must stay hidden is spoken of
 * without those, whoever wrote the words: no reader of values has to think of it.
 */

/** Continues a sentence that begins with the field and its value (`… is read as 1250.`). */
export interface Remark {
  readonly text: string;
  /** The same for a field whose value must not be shown. */
  readonly hidden: string;
}

/** Stands where a sensitive value would stand. */
export const hiddenMark = '(hidden)';

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
