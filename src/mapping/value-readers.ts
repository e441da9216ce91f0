/** Which reader reads which format of field. */
import type { FieldFormat } from '../contract/field-facts.ts';
import type { Field } from '../contract/fields.ts';
import { valueMessage } from '../messages/values.ts';
import type { Column, OpenValueType } from './column.ts';
import type { ColumnEvidence } from './column-evidence.ts';
import { fault, isTooLong, longestValue, type ValueReader } from './reading.ts';
import { readMoney, readNumber, readPercent, readTextOrNumber } from './values/amounts.ts';
import { readDate, readDoubtful, readPastDate, readSwapped, today } from './values/dates.ts';
import { readEin, readIdentifier, readPhone, readSsn, readZip } from './values/identifiers.ts';
import { choicesOf, readChoice, readChoices, readEmails, readFile, readList, readText } from './values/texts.ts';

type ReaderMaker = (field: Field, evidence: ColumnEvidence) => ValueReader;

const readerMakers: Readonly<Record<FieldFormat, ReaderMaker>> = {
  text: () => readText,
  website: () => readText,
  file: () => readFile,
  identifier: () => readIdentifier,
  money: (_field, evidence) => (cell) => readMoney(cell, evidence),
  number: (_field, evidence) => (cell) => readNumber(cell, evidence.decimal),
  percent: (_field, evidence) => (cell) => readPercent(cell, evidence.decimal),
  'text-or-number': (_field, evidence) => (cell) => readTextOrNumber(cell, evidence.saidDecimal),
  date: ({ facts }, evidence) => {
    const now = today();
    if (facts.past === true) return checkedDate(evidence, (cell) => readPastDate(cell, evidence.dateOrder, now));
    return checkedDate(evidence, (cell) => readDate(cell, evidence.dateOrder));
  },
  phone: () => readPhone,
  email: () => readText,
  emails: () => readEmails,
  ein: () => readEin,
  ssn: () => readSsn,
  zip: () => readZip,
  state: () => readText,
  list: () => readList,
  choice: (field) => {
    const choices = choicesOfField(field);
    return (cell) => readChoice(cell, choices);
  },
  choices: (field) => {
    const choices = choicesOfField(field);
    return (cell) => readChoices(cell, choices);
  },
};

const freeTexts: ReadonlySet<FieldFormat> = new Set(['text', 'website', 'file', 'list', 'text-or-number']);
const tooLong = valueMessage('too-long', { most: longestValue });

/** The reader of a column's cells, made once a sheet. What is too long to be a value is refused before it is looked at. */
export function readerOf(column: Column, evidence: ColumnEvidence): ValueReader {
  const isOpen = column.use === 'open';
  const format = isOpen ? column.valueType : column.field.format;
  const read = isOpen
    ? openReaders[column.valueType](evidence)
    : readerMakers[column.field.format](column.field, evidence);
  return freeTexts.has(format) ? read : (cell) => (isTooLong(cell) ? fault(tooLong) : read(cell));
}

const openReaders: Readonly<Record<OpenValueType, (evidence: ColumnEvidence) => ValueReader>> = {
  text: () => readText,
  number: (evidence) => (cell) => readNumber(cell, evidence.decimal),
  date: (evidence) => checkedDate(evidence, (cell) => readDate(cell, evidence.dateOrder)),
};

function checkedDate(evidence: ColumnEvidence, read: ValueReader): ValueReader {
  return (cell) => {
    const reading = readDoubtful(cell, read(cell), evidence);
    return evidence.mayBeSwapped ? readSwapped(cell, reading) : reading;
  };
}

function choicesOfField(field: Field) {
  return choicesOf(field.choices ?? [], field.facts.spellings ?? {});
}
