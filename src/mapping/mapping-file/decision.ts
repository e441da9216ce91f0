/** What a person's answer decides about a column of somebody else's file, or about a value in it. */
import { type Field, fieldsOf, templateFieldsOf } from '../../contract/fields.ts';
import { oneOf, type RecordKind } from '../../contract/record-kind.ts';
import { fieldOfHeader, unknownField } from '../headers.ts';
import { kindOfSheetName } from '../sheet-kind.ts';
import type { ColumnRule } from './mapping.ts';

export type ColumnDecision =
  | { readonly step: 'field'; readonly field: Field }
  | { readonly step: 'leave out' }
  | { readonly step: 'leave open' }
  /** The answer means nothing: a sentence why. */
  | { readonly step: 'ask again'; readonly message: string };

/** What a person types to leave a column out on purpose. */
export const leaveOutMark = '-';
/** What a person types to see the names of all fields. */
export const namesMark = '?';

/**
 * @param suggestions  as they were shown, numbered from 1
 * @param answer  a number of a suggestion, the name of a field, `-`, `?`, or nothing
 */
export function columnDecision(
  kind: RecordKind,
  suggestions: NonNullable<ColumnRule['suggestions']>,
  answer: string,
): ColumnDecision {
  const text = answer.trim();
  if (text === leaveOutMark) return { step: 'leave out' };
  if (text === namesMark) return { step: 'ask again', message: namesOfFields(kind) };
  if (text === '') return { step: 'leave open' };
  const name = /^\d+$/.test(text) ? suggestions[Number(text) - 1]?.field : text;
  if (name === undefined) return { step: 'ask again', message: `There is no suggestion ${text}.` };
  const field = fieldOfHeader(kind, name);
  return field === null ? { step: 'ask again', message: unknownField(kind, name) } : { step: 'field', field };
}

/** Of phones and addresses there may be ten each: the first stands for all. */
function namesOfFields(kind: RecordKind): string {
  const names = templateFieldsOf(kind, 'every').map(({ label }) => label);
  const further = fieldsOf(kind).find(({ label }) => !names.includes(label));
  const numbered = further === undefined ? '' : ` · and further ones by their number, such as ${further.label}`;
  return `The fields of ${oneOf(kind)}: ${names.join(' · ')}${numbered}`;
}

/**
 * @param kinds  as they were shown, numbered from 1
 * @param answer  a number or the name of a kind, however it is written, `-`, or nothing
 */
export function sheetDecision(
  kinds: readonly RecordKind[],
  answer: string,
): RecordKind | 'leave out' | 'leave open' | 'ask again' {
  const text = answer.trim();
  if (text === leaveOutMark) return 'leave out';
  if (text === '') return 'leave open';
  const found = /^\d+$/.test(text) ? kinds[Number(text) - 1] : kindOfSheetName(text);
  return found ?? 'ask again';
}

/** @returns one of the choices, empty for a blank cell, or `null` for an answer that means nothing */
export function valueDecision(choices: readonly string[], answer: string): string | null {
  const text = answer.trim();
  if (text === leaveOutMark) return '';
  if (/^\d+$/.test(text)) return choices[Number(text) - 1] ?? null;
  return choices.find((choice) => choice.toLowerCase() === text.toLowerCase()) ?? null;
}
