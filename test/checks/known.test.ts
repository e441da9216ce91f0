import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EarlierRef } from '../../src/checks/check.ts';
import { refs } from '../../src/checks/refs.ts';
import { CarriedRefs, FirstRows, shortDigest } from '../../src/checks/seen-rows.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import type { CheckedRow } from '../../src/mapping/body.ts';
import type { Column } from '../../src/mapping/column.ts';
import { matchHeaders } from '../../src/mapping/headers.ts';
import type { Message } from '../../src/messages/message.ts';
import { textOf } from '../../src/messages/text.ts';

const aRow = (kind: 'deals' | 'notes', row: number): CheckedRow => ({
  kind: recordKind(kind),
  sheet: kind,
  row,
  body: {},
  ref: null,
  pathId: null,
  references: [],
  problems: [],
  isValid: true,
  clears: 0,
  unread: [],
});

describe('a Ref of earlier loads', () => {
  const [reference] = recordKind('notes').references;
  const record = (id: string | null) => ({ id, load: 'may.xlsx on 2026-05-31' });
  const open = { place: 'may.xlsx, Deals row 4 (run 1)', status: 'Rejected' };

  it.each<[string, EarlierRef, string | undefined]>([
    ['of none', { records: [], open: null }, 'ref-unknown'],
    ['of one', { records: [record('deal_1')], open: null }, 'ref-loaded'],
    ['of one without a known id', { records: [record(null)], open: null }, 'ref-loaded'],
    ['of two', { records: [record('deal_1'), record('deal_2')], open: null }, 'ref-ambiguous'],
    ['of a row that is not in', { records: [], open }, 'ref-not-in'],
  ])('is told by what it is the Ref of: %s', (_, earlier, code) => {
    expect(messagesOf(earlier).map((message) => message.code)).toEqual([code]);
  });

  it.each<[string, readonly Column[], EarlierRef]>([
    ['Deal id', [], { records: [], open: null }],
    ['Deal id', [], { records: [record('deal_1'), record('deal_2')], open: null }],
    ['Deal id', [], { records: [], open }],
    ['Deal id', [], { records: [record(null)], open: null }],
    ['Deal ID', matchHeaders(recordKind('notes'), ['Deal ID'], []).columns, { records: [], open: null }],
  ])('that names no record names the column in which an id can stand instead: %s', (header, columns, earlier) => {
    expect(messagesOf(earlier, columns).map(textOf)).toEqual([expect.stringContaining(`in the column "${header}"`)]);
  });

  function messagesOf(earlier: EarlierRef, columns: readonly Column[] = []): readonly Message[] {
    const sheet = {
      name: 'Notes',
      kind: recordKind('notes'),
      sheet: {},
      columns,
      header: { number: 1, headers: [] },
      ownColumns: 0,
      behind: { merges: [], links: [], hiddenColumns: [] },
    };
    const file = { refs: new CarriedRefs(), first: new FirstRows(), earlier: () => earlier };
    const check = refs.begin(sheet, file);
    const note = { ...aRow('notes', 2), references: [{ reference: reference as never, ref: 'D-7', column: 0 }] };
    const found = [...(check?.row?.(note, { number: 2, values: [], hidden: false }, '', null) ?? [])];
    return found.map(({ message }) => message);
  }

  it('is told with its first rows where it stands on thousands', () => {
    const index = new CarriedRefs();
    for (let row = 2; row < 4_002; row += 1) index.add({ ...aRow('deals', row), ref: 'N/A' });
    expect(index.repeated('deals', 'N/A')).toBe('deals row 2, deals row 3, deals row 4 and 3997 more');
  });
});

it('the memory of what was said first tells each thing by its first row', () => {
  const row = fc.record({ text: fc.string({ maxLength: 3 }), sheet: fc.nat(2), row: fc.integer({ min: 1, max: 1e6 }) });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 3000, size: 'max' }), (rows) => {
      const first = new FirstRows();
      const model = new Map<string, { sheet: number; row: number }>();
      for (const { text, sheet, row } of rows) {
        const known = model.get(text) ?? { sheet, row };
        model.set(text, known);
        const isItself = known.sheet === sheet && known.row === row;
        const place = known.sheet === sheet ? `row ${known.row}` : `${known.sheet} row ${known.row}`;
        expect(first.placeOf(shortDigest(text), `${sheet}`, row)).toBe(isItself ? null : place);
      }
    }),
    { numRuns: 20 },
  );
});
