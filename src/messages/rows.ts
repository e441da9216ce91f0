/** What became of a row, beside what its service said and what was decided of it. */
import { type Message, messagesOf, type Told } from './message.ts';

export const rowTexts = {
  'left-in-doubt': () => 'The load stopped before the answer came.',
  'left-to-repeat': () => 'The load stopped before the answer came. The same values are sent again.',
  'attachment-gone': ({ file, fault }: { file: string; fault: Message }, told: Told) => `File "${file}" ${told(fault)}`,
  'key-lost': ({ id }: { id: string | null }) =>
    `${id === null ? 'The row says that it was loaded' : `The row carries the id ${id}`}, but its Run cell does not say when. Put the Run cell back, or empty the first six cells if it is a new row.`,
} as const;

export const rowMessage = messagesOf<typeof rowTexts>();
