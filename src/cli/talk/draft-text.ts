/** What a person is told of a mapping that was drafted: what was taken for what, and what is still to be decided. */
import { recordKind } from '../../contract/record-kinds.ts';
import { fieldOfHeader, folded } from '../../mapping/headers.ts';
import type { Mapping, SheetMappingRules } from '../../mapping/mapping-file/mapping.ts';
import { shownHeader } from '../../mapping/masking.ts';
import { namesWithCommas, shellWord } from '../../messages/commands.ts';
import { columnQuestions, type ValueQuestion, valueQuestions } from '../../staging/draft-mapping.ts';
import { counted } from '../terminal/figures.ts';

export interface DraftFlags {
  readonly file: string;
  readonly sheet: string | undefined;
  readonly output: string | undefined;
}

const usualName = 'mapping.json';

/** @param unknown  sheets of which nobody has said what their rows are */
export function draftText(mapping: Mapping, unknown: readonly string[], flags: DraftFlags): string {
  const { file, sheet, output = usualName } = flags;
  const { sheets, ignoreSheets = [] } = mapping;
  const sure = sheets.flatMap(sureLines);
  const ofSheet = sheet === undefined ? '' : ` --sheet ${shellWord(sheet)}`;
  return [
    ...sheets.flatMap((one) => (one.sheet === undefined ? [] : [`${one.sheet} is read as ${one.kind}.`])),
    ...ignoreSheets.map((name) => `${name} is left out.`),
    ...unknown.map(
      (name) =>
        `${name} is not in the draft: neither its name nor its headers tell what its rows are. Draft again with --as ${shellWord(`${name}=KIND`)}, or with --ignore-sheets ${shellWord(namesWithCommas([name]))} to leave it out.`,
    ),
    ...(sure.length === 0 ? [] : ['Taken as sure:', ...sure]),
    ...columnLines(mapping, output),
    ...valueLines(mapping, output),
    ...(flags.output === undefined
      ? [`The draft is in no file yet: give -o ${usualName}, and it is written there.`]
      : []),
    `See whether it fits with: dealsheet check ${shellWord(file)} --mapping ${shellWord(output)}${ofSheet}`,
  ].join('\n');
}

function nameIn({ sheet }: Pick<SheetMappingRules, 'sheet'>, header: string): string {
  return `${sheet === undefined ? '' : `${sheet}: `}${header}`;
}

/** What was taken without a person: a header that says a field in other words, and a name that is split. */
function sureLines(sheet: SheetMappingRules): readonly string[] {
  return Object.entries(sheet.columns).flatMap(([header, rule]) => {
    const name = nameIn(sheet, `"${shownHeader(header)}"`);
    if (typeof rule === 'object' && rule?.split !== undefined)
      return [`  ${name} is split into ${rule.split.fields.join(' and ')}`];
    const field = typeof rule === 'string' ? rule : rule?.field;
    return field == null || folded(field) === folded(header) ? [] : [`  ${name} is ${field}`];
  });
}

const areOpen = (count: number, what: string) => `${counted(count, what)} ${count === 1 ? 'is' : 'are'} open:`;

/** Columns that are open; where none is, how many have found a field: a column that was left out is not sent. */
function columnLines(mapping: Mapping, output: string): readonly string[] {
  const open = columnQuestions(mapping);
  const { sheets } = mapping;
  if (open.length > 0)
    return [
      areOpen(open.length, 'column'),
      ...open.map(({ sheet, header }) => `  ${nameIn(sheets[sheet] ?? {}, shownHeader(header))}`),
      `Give each its "field" in ${output}, or null in place of the braces to leave it out.`,
    ];
  const rules = sheets.flatMap((sheet) => Object.values(sheet.columns));
  const leftOut = rules.filter((rule) => rule === null).length;
  if (leftOut === 0) return ['Every column has found its field.'];
  return [`Columns with a field: ${rules.length - leftOut}. Left out and not sent: ${leftOut}.`];
}

function valueLines(mapping: Mapping, output: string): readonly string[] {
  const open = valueQuestions(mapping);
  if (open.length === 0) return [];
  const { sheets } = mapping;
  return [
    areOpen(open.length, 'value'),
    ...open.map(({ sheet, header, from }) => `  ${nameIn(sheets[sheet] ?? {}, shownHeader(header))} "${from}"`),
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
