/** Refs and ids by which rows name each other. */
import { messagesOf } from './message.ts';

export const referenceTexts = {
  'ref-also-of': ({ records }: { records: string }) => `is also that of ${records}.`,
} as const;

export const referenceMessage = messagesOf<typeof referenceTexts>();
