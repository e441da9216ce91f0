/** A drafted mapping gone through with a person, question by question. Whoever ends the input leaves the rest as it is. */
import type { Field } from '../../contract/fields.ts';
import type { RecordKind } from '../../contract/record-kind.ts';
import { recordKinds } from '../../contract/record-kinds.ts';
import { fieldOfHeader } from '../../mapping/headers.ts';
import {
  columnDecision,
  leaveOutMark,
  namesMark,
  sheetDecision,
  valueDecision,
} from '../../mapping/mapping-file/decision.ts';
import type { ColumnRule, Mapping, SheetMappingRules } from '../../mapping/mapping-file/mapping.ts';
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

/** Asks what the rows of each sheet are that neither its name nor its headers tell, until the input ends. */
export function kindAsker(terminal: Asker): (sheet: UnknownSheet) => Promise<SheetDecision> {
  let hasEnded = false;
  return async (sheet) => {
    const decision = hasEnded ? 'ended' : await askKind(sheet, terminal);
    hasEnded = decision === 'ended';
    return decision === 'ended' ? 'open' : decision;
  };
}

async function askKind({ name, headers }: UnknownSheet, terminal: Asker): Promise<SheetDecision | 'ended'> {
  terminal.say(
    [
      `\nThe sheet "${name}" has the headers ${headers.map((header) => shownHeader(header)).join(', ')}.`,
      ...recordKinds.map((kind, index) => `  ${index + 1}  ${kind.name}`),
    ].join('\n'),
  );
  for (;;) {
    const answer = await terminal.askText(
      `What are its rows? A number or a name; ${leaveOutMark} leaves the sheet out, Enter leaves it open: `,
    );
    if (answer === null) return 'ended';
    const decision = sheetDecision(recordKinds, answer);
    if (decision === 'leave out') return 'left out';
    if (decision === 'leave open') return 'open';
    if (decision !== 'ask again') return decision;
    terminal.say(`"${answer.trim()}" is none of them.`);
  }
}

/** @returns the mapping with what was decided */
export async function walkThrough(draft: Draft, terminal: Asker): Promise<Mapping> {
  let { mapping } = draft;
  for (const question of draft.questions) {
    const { sheet, kind } = question;
    const columnWith = (field: Field) => columnThatIs(field, kind, mapping.sheets[sheet]?.columns ?? {});
    const rule = await askColumn(question, sheetIn(mapping, sheet), columnWith, terminal);
    if (rule === 'ended') return mapping;
    if (rule !== 'open') mapping = withRule(mapping, question, rule);
  }
  for (const question of valueQuestions(mapping)) {
    const value = await askValue(question, sheetIn(mapping, question.sheet), terminal);
    if (value === 'ended') return mapping;
    if (value === 'open') continue;
    const { rule, from } = question;
    const sofar = (mapping.sheets[question.sheet]?.columns[question.header] ?? rule) as ColumnRule;
    mapping = withRule(mapping, question, { ...sofar, values: { ...sofar.values, [from]: value.text } });
  }
  return mapping;
}

function columnThatIs(field: Field, kind: RecordKind, columns: SheetMappingRules['columns']): string | null {
  const found = Object.entries(columns).find(([, rule]) => {
    const name = typeof rule === 'string' ? rule : rule?.field;
    return name != null && fieldOfHeader(kind, name)?.path === field.path;
  });
  return found?.[0] ?? null;
}

/** Which of several sheets is meant. */
function sheetIn({ sheets }: Mapping, index: number): string {
  const name = sheets[index]?.sheet;
  return sheets.length > 1 && name !== undefined ? ` of ${name}` : '';
}

async function askColumn(
  question: ColumnQuestion,
  ofSheet: string,
  columnWith: (field: Field) => string | null,
  terminal: Asker,
): Promise<null | string | ColumnRule | 'open' | 'ended'> {
  const { suggestions, samples } = question;
  terminal.say(
    [
      `\nColumn "${question.header}"${ofSheet}${samples.length === 0 ? ', which is blank' : `, such as: ${samples.join(' | ')}`}`,
      ...suggestions.map(({ field, score }, index) => `  ${index + 1}  ${field}  (${Math.round(score * 100)} % alike)`),
    ].join('\n'),
  );
  for (;;) {
    const answer = await terminal.askText(
      `Which field is it? ${suggestions.length === 0 ? 'A name' : 'A number or a name'}; ${namesMark} lists the names, ${leaveOutMark} leaves the column out, Enter leaves it open: `,
    );
    if (answer === null) return 'ended';
    const decision = columnDecision(question.kind, suggestions, answer);
    if (decision.step === 'leave out') {
      terminal.say('It is left out.');
      return null;
    }
    if (decision.step === 'leave open') {
      terminal.say('It stays open.');
      return 'open';
    }
    if (decision.step === 'ask again') terminal.say(decision.message);
    else {
      const other = columnWith(decision.field);
      if (other === null) {
        terminal.say(`It is taken as ${decision.field.label}.`);
        return question.ruleOf(decision.field);
      }
      terminal.say(
        `The column "${shownHeader(other)}" is ${decision.field.label} already, and a record has one. Name another field.`,
      );
    }
  }
}

async function askValue(
  question: ValueQuestion,
  ofSheet: string,
  terminal: Asker,
): Promise<{ readonly text: string } | 'open' | 'ended'> {
  const { header, from, choices, blankMeans } = question;
  terminal.say(
    [
      `\n"${from}" in column "${header}"${ofSheet}`,
      ...choices.map((choice, index) => `  ${index + 1}  ${choice}`),
    ].join('\n'),
  );
  const blank = blankMeans === null ? '' : `, which means ${blankMeans}`;
  for (;;) {
    const answer = await terminal.askText(
      `What does it mean? A number or a value; ${leaveOutMark} leaves it blank${blank}; Enter leaves it open: `,
    );
    if (answer === null) return 'ended';
    if (answer.trim() === '') {
      terminal.say('It stays open.');
      return 'open';
    }
    const text = valueDecision(choices, answer);
    if (text !== null) {
      terminal.say(text === '' ? 'Such cells are left blank.' : `It is taken as ${text}.`);
      return { text };
    }
    terminal.say(`"${answer.trim()}" is none of them.`);
  }
}
