/** A message is a code with parameters. Its text is made at the edge, from a catalogue. */
import type { ErrorCode } from '../errors.ts';
import { commandText, type NamedCommand } from './commands.ts';
import { withChoices } from './ways.ts';

/** A nested message is an earlier event, a cause or a fault. A list of texts holds our own words, and one of messages stands one a line. */
export type Parameter = string | number | boolean | null | readonly string[] | Message | readonly Message[];
export type Parameters = Readonly<Record<string, Parameter>>;

/** What the ledger, the log and `--json` store of a text that a person reads. */
export interface Message {
  readonly code: string;
  readonly params: Parameters;
}

export type TextMaker = (message: Message) => string;

/** A text with parameters in braces and conditional words in brackets: `in[id? as {id}]`, `[isOne?row|rows]`, and commands: `<dealsheet runs {run}>`; or a function. */
export type Text = string | ((params: never, textOf: TextMaker) => string);
export type Catalogue = Readonly<Record<string, Text>>;

/** The texts of an error: what happened, and what to do now. The command ends as `usage` unless another code is given. */
export type ErrorText = readonly [what: Text, remedy: Text, code?: ErrorCode];
export type ErrorCatalogue = Readonly<Record<string, ErrorText>>;

type NamesIn<Words> = Words extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type AskedIn<Words> = Words extends `${string}[${infer Name}?${infer Rest}` ? Name | AskedIn<Rest> : never;
export type ParamsOf<Of extends Text> = Of extends (params: infer Params, textOf: TextMaker) => string
  ? Params
  : Readonly<
      Record<Exclude<NamesIn<Of>, AskedIn<Of> | `${string}.${string}`>, Exclude<Parameter, boolean | null>> &
        Record<Exclude<AskedIn<Of>, 'shell'>, Parameter>
    >;

/** Entries that all end with one code. */
export function withCode<Code extends ErrorCode, const Texts extends Readonly<Record<string, readonly [Text, Text]>>>(
  code: Code,
  texts: Texts,
) {
  const entries = Object.entries(texts).map(([reason, [what, remedy]]) => [reason, [what, remedy, code]]);
  return Object.fromEntries(entries) as { readonly [Reason in keyof Texts]: readonly [...Texts[Reason], Code] };
}

/** One text a line. */
export function inLines(texts: readonly string[]): string {
  return [...texts].map((text) => `\n  ${text}`).join('');
}

/** Fills in the parameters once: braces in their values stay. Each word of a command is quoted for the shell. */
export function textWith(text: Text, params: Parameters, textOf: TextMaker): string {
  if (typeof text !== 'string') return text(params as never, textOf);
  const words = withChoices(text, (name) => {
    const param = params[name];
    return Array.isArray(param) ? param.length > 0 : Boolean(param);
  });
  const filled = (part: string): string =>
    part.replace(/<dealsheet ([^>]+)>|\{(\w+)\}/g, (_, typed: string | undefined, name: string) => {
      if (typed !== undefined) return commandText(...(typed.split(' ').map(filled) as [NamedCommand, ...string[]]));
      const param = params[name];
      if (!Array.isArray(param)) return isMessage(param) ? textOf(param) : String(param ?? '');
      return param.some(isMessage) ? inLines(param.map(textOf)) : param.join(', ');
    });
  return filled(words);
}

export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'code' in value && 'params' in value;
}

export const hiddenMark = '(value not shown)';

const longestShownValue = 60;

/** A value as shown in a message: control characters and line ends visible, SSNs hidden, long values cut. */
export function shownValue(value: string): string {
  const visible = value
    .replace(/(?<!\d)\d{3}([- ])\d{2}\1\d{4}(?!\d)/g, '***$1**$1****')
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => (character === '\n' ? '\u21b5' : '\uFFFD'));
  return visible.length > longestShownValue ? `${visible.slice(0, longestShownValue)}…` : visible;
}
