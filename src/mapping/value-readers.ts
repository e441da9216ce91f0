/** Which reader reads which format of field. */
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { FieldFormat } from '../contract/field-facts.ts';
import type { Field } from '../contract/fields.ts';
import { valueMessage } from '../messages/values.ts';
import type { Column } from './column.ts';
import type { ColumnEvidence } from './column-evidence.ts';
import { fault, isTooLong, longestValue, type ValueReader } from './reading.ts';
import {
  readBesideTexts,
  readMoney,
  readMoneyByColumn,
  readNumber,
  readPercent,
  readTextOrNumber,
} from './values/amounts.ts';
import { choicesOf, readChoice, readChoices } from './values/choices.ts';
import { readDate, readPastDate, readSwapped, today } from './values/dates.ts';
import { readEin, readIdentifier, readSsn, readZip } from './values/identifiers.ts';
import { phoneReader } from './values/phones.ts';
import { readState } from './values/states.ts';
import { readEmail, readEmails, readFile, readList, readText } from './values/texts.ts';

type ReaderMaker = (field: Field, evidence: ColumnEvidence, contract: ContractSettings) => ValueReader;

const readerMakers: Readonly<Record<FieldFormat, ReaderMaker>> = {
  text: () => readText,
  website: () => readText,
  file: () => readFile,
  identifier: () => readIdentifier,
  money: (_field, { decimal, saidDecimal, leftAsText }) => {
    const readText = saidDecimal === null ? readMoneyByColumn : readMoney;
    const read: ValueReader = (cell) => readText(cell, decimal);
    return leftAsText === null ? read : (cell) => readBesideTexts(cell, read(cell), leftAsText);
  },
  number: (_field, evidence) => (cell) => readNumber(cell, evidence.decimal),
  percent: (_field, evidence) => (cell) => readPercent(cell, evidence.decimal),
  'text-or-number': (_field, evidence) => (cell) => readTextOrNumber(cell, evidence.saidDecimal),
  date: ({ facts }, evidence) => {
    const now = today();
    if (facts.past === true) return checkedDate(evidence, (cell) => readPastDate(cell, evidence.dateOrder, now));
    return checkedDate(evidence, (cell) => readDate(cell, evidence.dateOrder));
  },
  phone: (_field, _evidence, contract) => phoneReader(contract.phoneCountry),
  email: () => readEmail,
  emails: () => readEmails,
  ein: () => readEin,
  ssn: () => readSsn,
  zip: () => readZip,
  state: () => readState,
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

/** The reader of a column's cells, made once a sheet. What is too long to be a value is refused before it is looked at. */
export function readerOf(column: Column, evidence: ColumnEvidence, contract: ContractSettings): ValueReader {
  const read = anyLengthReader(column, evidence, contract);
  if (isFreeText(column)) return read;
  return (cell) => (isTooLong(cell) ? fault(tooLong) : read(cell));
}

const freeTexts: ReadonlySet<FieldFormat> = new Set(['text', 'website', 'file', 'list', 'text-or-number']);

function isFreeText(column: Column): boolean {
  if (column.use === 'open') return column.valueType === 'text';
  return column.use === 'ignored' || freeTexts.has(column.field.format);
}

const tooLong = valueMessage('too-long', { most: longestValue });

function anyLengthReader(column: Column, evidence: ColumnEvidence, contract: ContractSettings): ValueReader {
  if (column.use === 'field') return readerMakers[column.field.format](column.field, evidence, contract);
  if (column.use === 'open' && column.valueType === 'number') return (cell) => readNumber(cell, evidence.decimal);
  if (column.use === 'open' && column.valueType === 'date')
    return checkedDate(evidence, (cell) => readDate(cell, evidence.dateOrder));
  return readText;
}

function checkedDate({ mayBeSwapped }: ColumnEvidence, read: ValueReader): ValueReader {
  return mayBeSwapped ? (cell) => readSwapped(cell, read(cell)) : read;
}

function choicesOfField(field: Field) {
  return choicesOf(field.choices ?? [], field.facts.spellings ?? {});
}
