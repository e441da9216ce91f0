import { expect, it } from 'vitest';
import { assumedContract } from '../../src/contract/contract-settings.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { recordMaker } from '../../src/load/outgoing.ts';
import type { RowData } from '../../src/staging/staged-row.ts';
import { readRow } from '../mapping/rows.ts';

it('what must not be repeated of a row is every value of it, by the names of its columns, those in braces too', () => {
  const row = readRow('submissions', {
    'Deal id': 'deal_1',
    'Submission status': 'Sent',
    '{payer.dob}': '1980-04-17',
    '{payers[0].name}': 'Ada',
    '{payer.note}': '219-09-9999',
  });
  const make = recordMaker(recordKind('submissions'), assumedContract, {
    folder: '',
    privatePaths: [],
    sourcesFolder: '',
  });
  const made = make({ ...row, aside: null, file: null } satisfies RowData, new Map(), null);
  const secrets = made.ok ? made.record.secrets() : [];
  const labels = new Map(secrets.toReversed().map(({ value, label }) => [value, label]));
  expect(labels).toEqual(
    new Map([
      ['Ada', 'payers[0].name'],
      ['219-09-9999', 'payer.note'],
      ['1980-04-17', 'payer.dob'],
      ['Sent', 'Submission status'],
      ['deal_1', 'Deal id'],
    ]),
  );
  const sensitive = secrets.filter(({ isSensitive }) => isSensitive === true).map(({ label }) => label);
  expect(new Set(sensitive)).toEqual(new Set(['payer.dob', 'payer.note']));
});
