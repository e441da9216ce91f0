/** How a message stands in the ledger: its code and parameters as JSON. */
import { isMessage, type Message } from '../messages/message.ts';

export function storedMessage(message: Message): string;
export function storedMessage(message: Message | null): string | null;
export function storedMessage(message: Message | null): string | null {
  return message === null ? null : JSON.stringify([message.code, message.params]);
}

export function readMessage(stored: string | null): Message | null {
  if (stored === null) return null;
  const [code, params] = JSON.parse(stored) as [string, Message['params']];
  const message = { code, params };
  return isMessage(message) ? message : null;
}
