/** What a person is told of a mapping that was drafted: what was taken for what, and what is still to be decided. */
import { recordKind } from '../../contract/record-kinds.ts';
import { fieldOfHeader, folded } from '../../mapping/headers.ts';
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

const usualName = 'mapping.json';

/** @param unknown  sheets of which nobody has said what their rows are */
export function draftText(mapping: Mapping, unknown: readonly string[], flags: DraftFlags): string {
  const { file, sheet } = flags;
  const output = flags.output ?? usualName;
  const { sheets, ignoreSheets = [] } = mapping;
  const kinds = sheets.flatMap((one) => (one.sheet === undefined ? [] : [`${one.sheet} is read as ${one.kind}.`]));
  const sure = sureText(mapping);
  const ofSheet = sheet === undefined ? '' : ` --sheet ${shellWord(sheet)}`;
  return [
    ...kinds,
    ...ignoreSheets.map((name) => `${name} is left out.`),
    ...unknown.map(
      (name) =>
        `${name} is not in the draft: neither its name nor its headers tell what its rows are. Draft again with --as ${shellWord(`${name}=KIND`)}, or with --ignore-sheets ${shellWord(namesWithCommas([name]))} to leave it out.`,
    ),
    ...(sure.length === 0 ? [] : ['Taken as sure:', ...sure]),
    ...columnsText(mapping, output),
    ...openValuesText(mapping, output),
    ...(flags.output === undefined
      ? [`The draft is in no file yet: give -o ${usualName}, and it is written there.`]
      : []),
    `See whether it fits with: dealsheet check ${shellWord(file)} --mapping ${shellWord(output)}${ofSheet}`,
  ].join('\n');
}

/** What was taken without a person: a header that says a field in other words, and a name that is split. */
function sureText({ sheets }: Mapping): readonly string[] {
  return sheets.flatMap(({ sheet, columns }) =>
    Object.entries(columns).flatMap(([header, rule]) => {
      const name = `${sheet === undefined ? '' : `${sheet}: `}"${shownHeader(header)}"`;
      if (typeof rule === 'object' && rule?.split !== undefined)
        return [`  ${name} is split into ${rule.split.fields.join(' and ')}`];
      const field = typeof rule === 'string' ? rule : rule?.field;
      return field == null || folded(field) === folded(header) ? [] : [`  ${name} is ${field}`];
    }),
  );
}

/** Columns that are open; where none is, how many have found a field: a column that was left out is not sent. */
function columnsText({ sheets }: Mapping, output: string): readonly string[] {
  const open = sheets.flatMap(openColumns);
  if (open.length > 0)
    return [
      `${counted(open.length, 'column')} ${open.length === 1 ? 'is' : 'are'} open:`,
      ...open.map((name) => `  ${name}`),
      `Give each its "field" in ${output}, or null in place of the braces to leave it out.`,
    ];
  const rules = sheets.flatMap((sheet) => Object.values(sheet.columns));
  const leftOut = rules.filter((rule) => rule === null).length;
  if (leftOut === 0) return ['Every column has found its field.'];
  const found = rules.length - leftOut;
  return [
    `${counted(found, 'column')} ${found === 1 ? 'has its field' : 'have their fields'}, and ${counted(leftOut, 'column')} ${leftOut === 1 ? 'is' : 'are'} left out and not sent.`,
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
