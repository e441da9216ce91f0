/** A drafted mapping gone through with a person, question by question. Whoever ends the input leaves the rest as it is. */
import { recordKinds } from '../../contract/record-kinds.ts';
import {
  columnDecision,
  leaveOutMark,
  namesMark,
  sheetDecision,
  valueDecision,
} from '../../mapping/mapping-file/decision.ts';
import type { ColumnRule, Mapping } from '../../mapping/mapping-file/mapping.ts';
import { shownHeader } from '../../mapping/masking.ts';
import {
  type ColumnQuestion,
  type Draft,
  type SheetDecision,
  type UnknownSheet,
  type ValueQuestion,
  valueQuestions,
  withRule,
} from '../../staging/draft-mapping.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Asker = Pick<Terminal, 'say' | 'askText'>;
type Rule = null | string | ColumnRule;

/** What an answer decides; without a value it decides nothing, and is asked for again. */
interface Decided<Value> {
  readonly value?: Value;
  readonly said?: string;
}

/** Asks until an answer decides something. `null` when the input has ended. */
async function decided<Value>(
  terminal: Asker,
  { intro, choices, prompt }: { readonly intro: string; readonly choices: readonly string[]; readonly prompt: string },
  decide: (answer: string) => Decided<Value>,
): Promise<Value | null> {
  terminal.say([`\n${intro}`, ...choices.map((choice, index) => `  ${index + 1}  ${choice}`)].join('\n'));
  for (;;) {
    const answer = await terminal.askText(prompt);
    if (answer === null) return null;
    const { value, said } = decide(answer);
    if (said !== undefined) terminal.say(said);
    if (value !== undefined) return value;
  }
}

const notAChoice = (answer: string) => ({ said: `"${answer.trim()}" is not one of the choices.` });

/** Asks what the rows of each sheet are that neither its name nor its headers tell, until the input ends. */
export function kindAsker(terminal: Asker): (sheet: UnknownSheet) => Promise<SheetDecision> {
  let hasEnded = false;
  return async ({ name, headers }) => {
    if (hasEnded) return 'open';
    const question = {
      intro: `The sheet "${name}" has the headers ${headers.map((header) => shownHeader(header)).join(', ')}.`,
      choices: recordKinds.map((kind) => kind.name),
      prompt: `What are its rows? A number or a name; ${leaveOutMark} leaves the sheet out, Enter leaves it open: `,
    };
    const decision = await decided<SheetDecision>(terminal, question, (answer) => {
      const decision = sheetDecision(recordKinds, answer);
      if (decision === 'ask again') return notAChoice(answer);
      if (decision === 'leave out') return { value: 'left out' };
      return { value: decision === 'leave open' ? 'open' : decision };
    });
    hasEnded = decision === null;
    return decision ?? 'open';
  };
}

/** @returns the mapping with what was decided */
export async function walkThrough(draft: Draft, terminal: Asker): Promise<Mapping> {
  let { mapping } = draft;
  for (const question of draft.questions) {
    const rule = await askColumn(question, mapping, terminal);
    if (rule === null) return mapping;
    if (rule !== 'open') mapping = withRule(mapping, question, rule.rule);
  }
  for (const question of valueQuestions(mapping)) {
    const value = await askValue(question, mapping, terminal);
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

function askColumn(
  question: ColumnQuestion,
  mapping: Mapping,
  terminal: Asker,
): Promise<{ readonly rule: Rule } | 'open' | null> {
  const { suggestions, samples, sheet } = question;
  const such = samples.length === 0 ? ', which is blank' : `, such as: ${samples.join(' | ')}`;
  const asked = {
    intro: `Column "${question.header}"${sheetIn(mapping, sheet)}${such}`,
    choices: suggestions.map(({ field, score }) => `${field}  (${Math.round(score * 100)} % alike)`),
    prompt: `Which field is it? ${suggestions.length === 0 ? 'A name' : 'A number or a name'}; ${namesMark} lists the names, ${leaveOutMark} leaves the column out, Enter leaves it open: `,
  };
  return decided<{ readonly rule: Rule } | 'open'>(terminal, asked, (answer) => {
    const decision = columnDecision(question.kind, suggestions, answer);
    if (decision.step === 'leave out') return { value: { rule: null }, said: 'It is left out.' };
    if (decision.step === 'leave open') return { value: 'open', said: 'It stays open.' };
    if (decision.step === 'ask again') return { said: decision.message };
    return { value: { rule: question.ruleOf(decision.field) }, said: `It is taken as ${decision.field.label}.` };
  });
}

function askValue(
  { header, from, choices, blankMeans, sheet }: ValueQuestion,
  mapping: Mapping,
  terminal: Asker,
): Promise<{ readonly text: string } | 'open' | null> {
  const blank = blankMeans === null ? '' : `, which means ${blankMeans}`;
  const asked = {
    intro: `"${from}" in column "${header}"${sheetIn(mapping, sheet)}`,
    choices,
    prompt: `What does it mean? A number or a value; ${leaveOutMark} leaves it blank${blank}; Enter leaves it open: `,
  };
  return decided<{ readonly text: string } | 'open'>(terminal, asked, (answer) => {
    if (answer.trim() === '') return { value: 'open', said: 'It stays open.' };
    const text = valueDecision(choices, answer);
    if (text === null) return notAChoice(answer);
    return { value: { text }, said: text === '' ? 'Such cells are left blank.' : `It is taken as ${text}.` };
  });
}
