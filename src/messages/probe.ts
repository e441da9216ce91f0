/** What the rules make of one answer that a person looks into, by code. */
import { type Message, messagesOf, type Told } from './message.ts';

const said = (told: Told, why: Message | null): string => (why === null ? '' : ` ${told(why)}`);

export const probeTexts = {
  'probe-yes': ({ id, why }: { id: string | null; why: Message | null }, told: Told) =>
    `This answer is a yes: the record is in${id === null ? '' : ` as ${id}`}.${said(told, why)}`,
  'probe-no': ({ why }: { why: Message | null }, told: Told) =>
    `This answer is a no: the row is not in.${said(told, why)}`,
  'probe-doubt': ({ why }: { why: Message | null }, told: Told) =>
    `By the rules this answer is neither a yes nor a no.${said(told, why)}`,
  'probe-not-sent': ({ why }: { why: Message | null }, told: Told) => `The row was not sent.${said(told, why)}`,
  'probe-invalid': ({ sheet, row }: { sheet: string; row: number }) =>
    `${sheet} row ${row} has errors: nothing was sent.`,
  'probe-record': ({ id }: { id: string }) => `This answer is the record ${id}.`,
  'probe-no-record': ({ why }: { why: Message | null }, told: Told) =>
    `This answer is not the record.${said(told, why)}`,
  'probe-proposal': ({ line }: { line: string }) => `Look the row up in the service. If it is there, declare: ${line}`,
  'probe-written': ({ file }: { file: string }) => `Declared in ${file}.`,
  'probe-resolve': ({ command }: { command: Message }, told: Told) =>
    `The rules do not settle this row: it stays in doubt until you resolve it with: ${told(command)} --created ID, or --not-created`,
} as const;

export const probeMessage = messagesOf<typeof probeTexts>();
