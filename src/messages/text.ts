/** Makes the text of a message, and the errors. The only module that knows all catalogues. */
import { DealsheetError } from '../errors.ts';
import { oncePerText } from '../once.ts';
import { checkTexts, recordTexts } from './checks.ts';
import { commandErrors } from './command-errors.ts';
import { exportErrors } from './export-errors.ts';
import { fileErrors } from './file-errors.ts';
import { ledgerErrors } from './ledger-errors.ts';
import { loadErrors } from './load-errors.ts';
import {
  type Catalogue,
  type ErrorText,
  type Message,
  type Parameters,
  type ParamsOf,
  type Text,
  textWith,
} from './message.ts';
import { noticeTexts } from './notices.ts';
import { planTexts } from './plan.ts';
import { remedyTexts, serviceTexts } from './service.ts';
import { sheetErrors } from './sheet-errors.ts';
import { valueTexts } from './values.ts';

export const catalogues = {
  'Values of cells': valueTexts,
  'What a row lacks': recordTexts,
  Checks: checkTexts,
  'Why a row is not sent': planTexts,
  'What the service answered': serviceTexts,
  'What to do then': remedyTexts,
  'Of files, loads and exports': noticeTexts,
} as const satisfies Readonly<Record<string, Catalogue>>;

const texts = new Map(Object.values<Catalogue>(catalogues).flatMap((catalogue) => Object.entries(catalogue)));

type CodesIn<Texts> = Texts extends unknown ? keyof Texts & string : never;
type TextIn<Texts, Code extends string> = Texts extends Readonly<Record<Code, infer One extends Text>> ? One : never;
type Texts = (typeof catalogues)[keyof typeof catalogues];

/** A code accepts only the parameters of its text. */
export function messageOf<Code extends CodesIn<Texts>>(
  code: Code,
  ...[params]: keyof ParamsOf<TextIn<Texts, Code>> extends never ? [] : [ParamsOf<TextIn<Texts, Code>>]
): Message {
  return { code, params: (params ?? {}) as Parameters };
}

const namesOf = oncePerText((code: string) =>
  Array.from(String(texts.get(code)).matchAll(/[{[](\w+)/g), ([, name = '']) => name),
);

/** A message with those of the parameters that its template names. */
export function messageFrom(code: CodesIn<Texts>, given: Parameters): Message {
  const params = namesOf(code).flatMap((name) => (name in given ? [[name, given[name]]] : []));
  return { code, params: Object.fromEntries(params) };
}

export function inPlace(place: string, said: Message | string, row: number | null = null): Message {
  return messageOf('in-place', { place, row, said });
}

export function textOf({ code, params }: Message): string {
  return textWith(texts.get(code) ?? code, params, textOf);
}

export const errorTexts = {
  ...fileErrors,
  ...sheetErrors,
  ...loadErrors,
  ...ledgerErrors,
  ...exportErrors,
  ...commandErrors,
};

export type ErrorReason = keyof typeof errorTexts;
type ParamsOfError<Texts extends ErrorText> = ParamsOf<Texts[0]> & ParamsOf<Texts[1]>;
type Given<Params> = keyof Params extends never
  ? [params?: Params, cause?: unknown]
  : [params: Params, cause?: unknown];

/** What stops a command. A reason accepts only the parameters of its texts. */
export function errorOf<Reason extends ErrorReason>(
  reason: Reason,
  ...[params, cause]: Given<ParamsOfError<(typeof errorTexts)[Reason]>>
): DealsheetError {
  const [what, remedy, code = 'usage']: ErrorText = errorTexts[reason];
  const textWithParams = (text: ErrorText[0]) => textWith(text, (params ?? {}) as Parameters, textOf);
  return new DealsheetError(code, reason, textWithParams(what), textWithParams(remedy), cause);
}
