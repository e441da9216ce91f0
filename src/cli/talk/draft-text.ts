/** What a person is told of a mapping that was drafted: what was taken for what, and what is still to be decided. */
import { recordKind } from '../../contract/record-kinds.ts';
import { fieldOfHeader } from '../../mapping/headers.ts';
import type { Mapping } from '../../mapping/mapping-file/mapping.ts';
import { shownHeader } from '../../mapping/masking.ts';
import { namesWithCommas, shellWord } from '../../messages/commands.ts';
import { openColumns, type ValueQuestion, valueQuestions } from '../../staging/draft-mapping.ts';
import { counted } from '../terminal/figures.ts';

export interface DraftFlags {
  readonly file: string;
  readonly sheet: string | undefined;
  readonly output: string | undefined;
}

/** @param unknown  sheets of which nobody has said what their rows are */
export function draftText(mapping: Mapping, unknown: readonly string[], flags: DraftFlags): string {
  return [...sheetsText(mapping), ...unknown.map(unknownText), toDo(mapping, flags)].join('\n');
}

/** What each sheet is taken for, where there are several. */
function sheetsText({ sheets, ignoreSheets = [] }: Mapping): readonly string[] {
  const read = sheets.flatMap(({ sheet, kind }) => (sheet === undefined ? [] : [{ sheet, kind }]));
  const [first, ...others] = read;
  const kinds = [
    `${first?.sheet} is read as ${first?.kind}`,
    ...others.map(({ sheet, kind }) => `${sheet} as ${kind}`),
  ];
  return [
    ...(first === undefined ? [] : [`${kinds.join(', ')}.`]),
    ...ignoreSheets.map((sheet) => `${sheet} is left out.`),
  ];
}

function unknownText(sheet: string): string {
  return `${sheet} is not in the draft: neither its name nor its headers tell what its rows are. Draft again with --as ${shellWord(`${sheet}=KIND`)}, or with --ignore-sheets ${shellWord(namesWithCommas([sheet]))} to leave it out.`;
}

const usualName = 'mapping.json';

function toDo(mapping: Mapping, { file, sheet, output: named }: DraftFlags): string {
  const output = named ?? usualName;
  const open = mapping.sheets.flatMap(openColumns);
  const ofSheet = sheet === undefined ? '' : ` --sheet ${shellWord(sheet)}`;
  const check = `See whether it fits with: dealsheet check ${shellWord(file)} --mapping ${shellWord(output)}${ofSheet}`;
  const unwritten = `The draft is in no file yet: give -o ${usualName}, and it is written there.`;
  const next = named === undefined ? `${unwritten}\n${check}` : check;
  const decided = open.length === 0 ? [foundText(mapping)] : openText(open, output);
  return [...decided, ...openValuesText(mapping, output), next].join('\n');
}

function openText(open: readonly string[], output: string): readonly string[] {
  return [
    `${counted(open.length, 'column')} ${open.length === 1 ? 'is' : 'are'} open:`,
    ...open.map((name) => `  ${name}`),
    `Give each its "field" in ${output}, or null in place of the braces to leave it out.`,
  ];
}

function openValuesText(mapping: Mapping, output: string): readonly string[] {
  const open = valueQuestions(mapping);
  if (open.length === 0) return [];
  return [
    `${counted(open.length, 'value')} ${open.length === 1 ? 'is' : 'are'} open:`,
    ...open.map((question) => `  ${columnIn(mapping, question)} "${question.from}"`),
    `Give each in ${output} a value of its field in place of null, or "" to leave such cells blank.`,
    ...new Set(open.map((question) => choicesText(mapping, question))),
  ];
}

function choicesText({ sheets }: Mapping, { sheet, rule, choices, blankMeans }: ValueQuestion): string {
  const kind = sheets[sheet]?.kind;
  const field = kind === undefined || rule.field == null ? null : fieldOfHeader(recordKind(kind), rule.field);
  const blank = blankMeans === null ? '' : `; blank means ${blankMeans}`;
  return `${field?.label ?? rule.field} is one of ${choices.join(', ')}${blank}.`;
}

function columnIn({ sheets }: Mapping, { sheet, header }: ValueQuestion): string {
  const name = sheets[sheet]?.sheet;
  return `${name === undefined ? '' : `${name}: `}${shownHeader(header)}`;
}

/** A column that was left out has found no field, and its values are not sent. */
function foundText(mapping: Mapping): string {
  const rules = mapping.sheets.flatMap((sheet) => Object.values(sheet.columns));
  const leftOut = rules.filter((rule) => rule === null).length;
  if (leftOut === 0) return 'Every column has found its field.';
  const found = rules.length - leftOut;
  return `${counted(found, 'column')} ${found === 1 ? 'has its field' : 'have their fields'}, and ${counted(leftOut, 'column')} ${leftOut === 1 ? 'is' : 'are'} left out: what stands there is not sent.`;
}
