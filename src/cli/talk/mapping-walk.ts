/** A drafted mapping gone through with a person, question by question. Whoever ends the input leaves the rest as it is. */
import { fieldsOf, templateFieldsOf } from '../../contract/fields.ts';
import { oneOf, type RecordKind } from '../../contract/record-kind.ts';
import { recordKinds } from '../../contract/record-kinds.ts';
import { fieldOfHeader, unknownField } from '../../mapping/headers.ts';
import type { ColumnRule, Mapping } from '../../mapping/mapping-file/mapping.ts';
import { shownHeader } from '../../mapping/masking.ts';
import { kindOfSheetName } from '../../mapping/sheet-kind.ts';
import {
  type ColumnQuestion,
  columnQuestions,
  type Draft,
  type SheetDecision,
  type UnknownSheet,
  type ValueQuestion,
  valueQuestions,
  withRule,
} from '../../staging/draft-mapping.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Asker = Pick<Terminal, 'say' | 'askText'>;

interface Question<Value> {
  readonly intro: string;
  /** Each with what is shown of it; a person may type its number, from 1. */
  readonly choices: readonly (readonly [name: string, shown: string])[];
  readonly prompt: string;
  readonly decide: (answer: string) => Decided<Value>;
}

/** What an answer decides; without a value it decides nothing, and is asked for again. */
interface Decided<Value> {
  readonly value?: Value;
  readonly said?: string;
}

/** What a person types to leave something out on purpose. */
const leaveOutMark = '-';
/** What a person types to see the names of all fields. */
const namesMark = '?';

/** Asks until an answer decides something. `null` when the input has ended. */
async function ask<Value>(terminal: Asker, question: Question<Value>): Promise<Value | null> {
  const { intro, choices, prompt, decide } = question;
  terminal.say([`\n${intro}`, ...choices.map(([, shown], index) => `  ${index + 1}  ${shown}`)].join('\n'));
  for (;;) {
    const typed = (await terminal.askText(prompt))?.trim();
    if (typed === undefined) return null;
    const [name = typed] = (/^\d+$/.test(typed) && choices[Number(typed) - 1]) || [];
    const { value, said = `"${typed}" is not one of the choices.` } = decide(name);
    if (said !== '') terminal.say(said);
    if (value !== undefined) return value;
  }
}

/** Asks what the rows of each sheet are that neither its name nor its headers tell, until the input ends. */
export function kindAsker(terminal: Asker): (sheet: UnknownSheet) => Promise<SheetDecision> {
  let hasEnded = false;
  return async ({ name, headers }) => {
    if (hasEnded) return 'open';
    const decision = await ask<SheetDecision>(terminal, {
      intro: `The sheet "${name}" has the headers ${headers.map((header) => shownHeader(header)).join(', ')}.`,
      choices: recordKinds.map(({ name }) => [name, name]),
      prompt: `What are its rows? A number or a name; ${leaveOutMark} leaves the sheet out, Enter leaves it open: `,
      decide: (answer) => {
        if (answer === leaveOutMark) return { value: 'left out', said: '' };
        const kind = answer === '' ? 'open' : kindOfSheetName(answer);
        return kind === null ? {} : { value: kind, said: '' };
      },
    });
    hasEnded = decision === null;
    return decision ?? 'open';
  };
}

/** @returns the mapping with what was decided */
export async function walkThrough(draft: Draft, terminal: Asker): Promise<Mapping> {
  let { mapping } = draft;
  for (const question of columnQuestions(mapping)) {
    const rule = await ask(terminal, columnQuestion(question, draft));
    if (rule === null) return mapping;
    if (rule !== 'open') mapping = withRule(mapping, question, rule.rule);
  }
  for (const question of valueQuestions(mapping)) {
    const value = await ask(terminal, valueQuestion(question, mapping));
    if (value === null) return mapping;
    if (value === 'open') continue;
    const { rule, from } = question;
    const sofar = (mapping.sheets[question.sheet]?.columns[question.header] ?? rule) as ColumnRule;
    mapping = withRule(mapping, question, { ...sofar, values: { ...sofar.values, [from]: value.text } });
  }
  return mapping;
}

/** Which of several sheets is meant. */
function sheetIn({ sheets }: Mapping, index: number): string {
  const name = sheets[index]?.sheet;
  return sheets.length > 1 && name !== undefined ? ` of ${name}` : '';
}

function columnQuestion(
  { kind, header, suggestions, samples, sheet }: ColumnQuestion,
  { mapping, ruleOf }: Draft,
): Question<{ readonly rule: null | string | ColumnRule } | 'open'> {
  const such = samples.length === 0 ? ', which is blank' : `, such as: ${samples.join(' | ')}`;
  return {
    intro: `Column "${header}"${sheetIn(mapping, sheet)}${such}`,
    choices: suggestions.map(({ field, score }) => [field, `${field}  (${Math.round(score * 100)} % alike)`]),
    prompt: `Which field is it? ${suggestions.length === 0 ? 'A name' : 'A number or a name'}; ${namesMark} lists the names, ${leaveOutMark} leaves the column out, Enter leaves it open: `,
    decide: (answer) => {
      if (answer === leaveOutMark) return { value: { rule: null }, said: 'It is left out.' };
      if (answer === namesMark) return { said: namesOfFields(kind) };
      if (answer === '') return { value: 'open', said: 'It stays open.' };
      const field = fieldOfHeader(kind, answer);
      if (field === null) return { said: unknownField(kind, answer) };
      return { value: { rule: ruleOf({ sheet, header }, field) }, said: `It is taken as ${field.label}.` };
    },
  };
}

/** A record has up to ten phones and addresses: only the first of each is listed. */
function namesOfFields(kind: RecordKind): string {
  const names = templateFieldsOf(kind, 'every').map(({ label }) => label);
  const further = fieldsOf(kind).find(({ label }) => !names.includes(label));
  const numbered = further === undefined ? '' : ` · and further ones by their number, such as ${further.label}`;
  return `The fields of ${oneOf(kind)}: ${names.join(' · ')}${numbered}`;
}

function valueQuestion(
  { header, from, choices, blankMeans, sheet }: ValueQuestion,
  mapping: Mapping,
): Question<{ readonly text: string } | 'open'> {
  const blank = blankMeans === null ? '' : `, which means ${blankMeans}`;
  return {
    intro: `"${from}" in column "${header}"${sheetIn(mapping, sheet)}`,
    choices: choices.map((choice) => [choice, choice]),
    prompt: `What does it mean? A number or a value; ${leaveOutMark} leaves it blank${blank}; Enter leaves it open: `,
    decide: (answer) => {
      if (answer === '') return { value: 'open', said: 'It stays open.' };
      if (answer === leaveOutMark) return { value: { text: '' }, said: 'Such cells are left blank.' };
      const text = choices.find((choice) => choice.toLowerCase() === answer.toLowerCase());
      return text === undefined ? {} : { value: { text }, said: `It is taken as ${text}.` };
    },
  };
}
