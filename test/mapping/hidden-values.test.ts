import { describe, expect, it } from 'vitest';
import { assumedContract } from '../../src/contract/contract-settings.ts';
import { type DateOrder, dateOrders } from '../../src/contract/date-order.ts';
import { type Field, fieldsOf } from '../../src/contract/fields.ts';
import { recordKinds } from '../../src/contract/record-kinds.ts';
import { type FilledCell, faultOfAnyField } from '../../src/mapping/reading.ts';
import { readerOf } from '../../src/mapping/row-mapper.ts';
import { findingOfValue, findingText } from '../../src/messages/finding.ts';
import type { Cell } from '../../src/tables/row.ts';
import { dateCell, numberCell, readRow, saidOf } from './rows.ts';

/** Values of people and of programs, none of whose parts stands in any sentence of ours. */
const oddTexts = [
  ...['1988-08-17', '17 Aug 1988', 'Aug 17, 1988', 'Wednesday, August 17th, 1988', '17-aug-88', '8/17/1988'],
  ...['17.08.1988', '08/09/1988', '17/17/1988', '1988-11-31', '19880817', '1988-08-17T18:19:28Z'],
  ...['1988-08-17 00:00', ' 8/17/88 ', 'born 1988', '219-09-4877', '219094877', '219 09 4877', '21909487'],
  ...['000-09-4877', '666094877', '2.19094877E+08', '2.19E+8', '219.094.877', '$219,094,877', '219094877%'],
  ...['219-09-487X', 'Moreno219', 'MORENO', 'mailto:moreno@bakery.example', 'moreno@bakery.example; moreno'],
  ...['moreno|bakery,1988', '<clear>', '****1988', '*****', '#N/A', `1988${'0817'.repeat(80)}`, '219\n4877'],
];
const oddCells: readonly Cell[] = [
  ...oddTexts,
  dateCell('1988-08-17'),
  dateCell('1988-08-17', '18:19:28'),
  numberCell(219094877),
  numberCell(21909487),
  numberCell(19880817),
  numberCell(32372.5),
  numberCell(0.1988, { percent: true }),
  numberCell(2.190948771988e20, { stored: '219094877198808170000' }),
  { kind: 'boolean', value: true },
  { kind: 'error', text: '#REF!' },
  { kind: 'formula-without-value', formula: 'DATE(1988,8,17)' },
];
const orders: readonly (DateOrder | null)[] = [null, ...dateOrders];

/** Every part of a value of two characters and more, and every form in which its digits may be said. */
function formsOf(cell: Cell): readonly string[] {
  const text = JSON.stringify(cell)
    .toLowerCase()
    .replace(/"(kind|value|stored|shown|percent|text|day|time)":/g, ' ');
  const parts = text.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return [...parts.filter((part) => !ourWords.has(part)), ...(/88/.test(text) ? ['1988', '08-17', 'wednesday'] : [])];
}

/** Kinds of cells and error values, and what is no more than a mark. */
const ourWords: ReadonlySet<string> = new Set(
  'number date boolean error formula without value false true null ref clear'.split(' '),
);

function leaksIn(message: string, cell: Cell): readonly string[] {
  return formsOf(cell).filter((form) => message.toLowerCase().includes(form));
}

const sensitive = recordKinds.flatMap((kind) =>
  fieldsOf(kind)
    .filter(({ facts }) => facts.sensitive === true)
    .map((field) => ({ kind: kind.name, label: field.label })),
);

describe('a sensitive value', () => {
  it('is known of the fields that hold one', () => {
    expect(sensitive).toContainEqual({ kind: 'deals', label: 'Owner 1 date of birth' });
    expect(sensitive).toContainEqual({ kind: 'deals', label: 'Owner 1 SSN' });
  });

  it.each(sensitive)('is in no form in any message: $label of $kind', ({ kind, label }) => {
    for (const dateOrder of orders) {
      for (const cell of oddCells) {
        const { problems } = readRow(kind, { [label]: cell }, dateOrder === null ? {} : { dateOrder });
        const messages = problems.filter((problem) => problem.label === label).map(findingText);
        expect(messages.flatMap((message) => leaksIn(message, cell))).toEqual([]);
      }
    }
  });

  it('of any format would be in no message, whichever reader it is read by', () => {
    for (const field of oneOfEachFormat()) {
      for (const order of orders) {
        const amounts = { decimal: 'contradictory', saidDecimal: 'comma', leftAsText: 'comma' } as const;
        const days = {
          dateOrder: order ?? 'unknown',
          saidOrder: order,
          isShownByFew: true,
          mayBeSwapped: true,
        } as const;
        const inferred = { ...amounts, ...days };
        const read = readerOf({ field, format: field.format }, inferred, assumedContract);
        for (const cell of oddCells.filter((odd): odd is FilledCell => odd !== null)) {
          const reading = read(cell);
          const fault = faultOfAnyField(cell);
          const said = `${saidOf(reading, true)} ${fault === null ? '' : saidOf({ ok: false, faults: [fault] }, true)}`;
          expect(leaksIn(said, cell), `${field.format}: ${said}`).toEqual([]);
        }
      }
    }
  });

  it.each([
    ['Owner 1 date of birth', '17 Aug 1988', /^ is read as the day that its words say\.$/],
    ['Owner 1 SSN', '21909487', /^ has too few digits: .* as in 012-34-5678\.$/],
    ['Owner 1 SSN', '2'.repeat(1001), /^ has more than 1000 characters, /],
  ])('is still spoken of in words that help: %s %.8s', (label, text, said) => {
    const [told] = readRow('deals', { [label]: text }).problems.filter((problem) => problem.label === label);
    const [before, behind] = told === undefined ? [] : findingText(told).split(' (value not shown)');
    expect(before).toBe(label);
    expect(behind).toMatch(said);
  });
});

it('a finding about a sensitive value holds no text and no number of its parameters, and keeps codes, flags and words of ours', () => {
  const why = { code: 'because', params: { day: '17' } };
  const params = { read: '17', most: 3, allowed: ['17'], isShort: true, why };
  const subject = { label: 'SSN', sensitive: true };
  const hidden = '(value not shown)';
  expect(findingOfValue('warning', 0, subject, '17', { code: 'odd', params }).params).toEqual({
    ...{ value: hidden, read: hidden, most: hidden, allowed: ['17'], isShort: true },
    why: { code: 'because', params: { day: hidden } },
  });
});

function oneOfEachFormat(): readonly Field[] {
  return [...new Map(recordKinds.flatMap((kind) => fieldsOf(kind).map((field) => [field.format, field]))).values()];
}

it('an SSN in a cell where none belongs is not shown in what is said of the cell', () => {
  const row = readRow('deals', {
    'Amount requested': '219-09-4877',
    'Company EIN': '219-09-4877',
    'Entity type': 'his SSN is 219 09 4877',
  });
  expect(row.problems.map(findingText).join()).not.toMatch(/4877/);
  expect(row.problems.map(findingText)).toContain(
    'Company EIN "***-**-****" is written like an SSN. An EIN is written 12-3456789.',
  );
});
