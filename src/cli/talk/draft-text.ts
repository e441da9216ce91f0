/** What a person is told of a mapping that was drafted: what was taken for what, and what is still to be decided. */
import type { FieldFormat } from '../../contract/field-facts.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { fieldOfHeader } from '../../mapping/headers.ts';
import type { Mapping, SheetMappingRules } from '../../mapping/mapping-file/mapping.ts';
import { joinOfMoney } from '../../mapping/mapping-file/money-columns.ts';
import { unfilledFields, unfilledNeeds } from '../../mapping/mapping-file/unfilled.ts';
import { shownHeader } from '../../mapping/masking.ts';
import { namesWithCommas, shellWord } from '../../messages/commands.ts';
import { openColumns, type ValueQuestion, valueQuestions } from '../../staging/draft-mapping.ts';
import { counted } from '../terminal/figures.ts';

export interface DraftFlags {
  readonly file: string;
  readonly sheet: string | undefined;
  readonly output: string | undefined;
  /** Whether a person was asked about each value, and knows what it was taken for. */
  readonly isAsked: boolean;
}

/** @param unknown  sheets of which nobody has said what their rows are */
export function draftText(mapping: Mapping, unknown: readonly string[], flags: DraftFlags): string {
  return [
    ...sheetsText(mapping),
    ...unknown.map(unknownText),
    ...mapping.sheets.flatMap(blanksText),
    ...(flags.isAsked ? [] : takenText(mapping)),
    toDo(mapping, flags),
  ].join('\n');
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
  const needed = mapping.sheets.flatMap(neededText);
  const ofSheet = sheet === undefined ? '' : ` --sheet ${shellWord(sheet)}`;
  const check = `See whether it fits with: dealsheet check ${shellWord(file)} --mapping ${shellWord(output)}${ofSheet}`;
  const unwritten = `The draft is in no file yet: give -o ${usualName}, and it is written there.`;
  const next = named === undefined ? `${unwritten}\n${check}` : check;
  const decided =
    open.length === 0 ? [foundText(mapping)] : [...openText(open, output), ...mapping.sheets.flatMap(moneyText)];
  return [...decided, ...openValuesText(mapping, output), ...needed, next].join('\n');
}

function openText(open: readonly string[], output: string): readonly string[] {
  return [
    `${counted(open.length, 'column')} ${open.length === 1 ? 'is' : 'are'} open:`,
    ...open.map((name) => `  ${name}`),
    `Give each its "field" in ${output}, or null in place of the braces to leave it out.`,
  ];
}

/** A value that its field does not allow stands for a near one: a person may know better. */
function takenText(mapping: Mapping): readonly string[] {
  return valueQuestions(mapping).flatMap((question) => {
    const { from, suggested } = question;
    return suggested === null || suggested === ''
      ? []
      : [`"${from}" in ${columnIn(mapping, question)} is taken for ${suggested}.`];
  });
}

function openValuesText(mapping: Mapping, output: string): readonly string[] {
  const open = valueQuestions(mapping).filter(({ suggested }) => suggested === null);
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

function moneyText(rules: SheetMappingRules): readonly string[] {
  const join = joinOfMoney(rules);
  if (join === null) return [];
  const [out, into] = join.columns;
  return [
    `Where "${out}" and "${into}" hold one ${join.field.toLowerCase()} between them, take both out of "columns", and write beside it:`,
    `  "joins": [${JSON.stringify(join)}]`,
    `"minus" turns the sign of "${out}": leave it out where money out is below zero already, or has no sign in the service either.`,
  ];
}

function blanksText({ sheet, blanks = [] }: SheetMappingRules): readonly string[] {
  if (blanks.length === 0) return [];
  const words = blanks.map((word) => JSON.stringify(word)).join(' or ');
  return [`${sheet === undefined ? '' : `${sheet}: `}Cells that say ${words} count as blank ("blanks").`];
}

function neededText(rules: SheetMappingRules): readonly string[] {
  const sheet = rules.sheet === undefined ? '' : `${rules.sheet}: `;
  const needs = unfilledNeeds(rules).map((need) => `${sheet}${need}`);
  const [field] = unfilledFields(rules).filter(({ format }) => mayBeSame.has(format));
  if (field === undefined) return needs;
  const constants = JSON.stringify({ [field.label]: field.facts.example });
  return [...needs, `Where all rows have the same value, write beside "columns": "constants": ${constants}`];
}

/** What every row of a file may say alike; an amount or an id is each row's own. */
const mayBeSame: ReadonlySet<FieldFormat> = new Set(['text', 'choice', 'choices', 'list']);
