import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import type { Outcome } from '../../../src/service/records/outcome.ts';
import { aClient, aRecord, send, sendAll } from '../builders.ts';
import { answerBytes, type ScriptedAnswer, type ScriptedService, scriptedService } from '../scripted-service.ts';

let answer: ScriptedAnswer = {};
let service: ScriptedService;
beforeAll(async () => {
  service = await scriptedService((socket) => void socket.write(answerBytes(answer)));
});
afterAll(() => service.close());

async function statesOf(given: ScriptedAnswer, count = 3): Promise<string> {
  answer = given;
  const client = aClient(service.url);
  const outcomes = await sendAll(
    client,
    Array.from({ length: count }, (_, index) => aRecord({ body: { amount: 100 + index } })),
  );
  await client.close();
  const states = new Set(outcomes.map(({ state }: Outcome) => state));
  return [...states].join(' ');
}

async function stateOfNote(given: ScriptedAnswer): Promise<string> {
  answer = given;
  const client = aClient(service.url);
  const { state } = await send(client, recordKind('notes'), aRecord({ body: { dealId: 'deal_1', note: 'Called.' } }));
  await client.close();
  return state;
}

describe('an answer in words that counts every one of three rows', () => {
  it.each([
    'Created: 3, Failed: 0',
    'created=3 failed=0',
    'Success: 3; Errors: 0',
    'Created 3, skipped 0',
    'imported 3 ignored 0',
    '3 created 0 skipped 0 failed',
    '3 created, 0 updated, 0 failed',
    'Rows imported: 3, rows failed: 0',
    '3 rows imported. 0 rows rejected.',
    'No transactions were rejected',
    '3 of 3 transactions added, none failed',
    '0 of 3 failed',
    '3 imported with 0 errors and 2 warnings',
    'Imported 3 without any errors',
    'Errors: none. Created: 3',
    'No duplicates found, 3 transactions created',
    '3 transactions added (0 duplicates ignored)',
    'Warnings: 0, saved: 3',
    '0: OK',
    'Code 0: success',
    '3 payments posted, 1 payment plan updated',
    'Created: 11, 12, 13',
    'Created transactions 1, 2 and 3',
    'Row 0 ok, row 1 ok, row 2 ok',
    'Row 2: date read as 2026-01-02. All saved.',
    'Files processed: 1, rows saved: 3',
    'Accepted, batch no. 2',
    '3 row(s) inserted, 0 row(s) failed',
    'created: 3 records, failed: 0 records',
    'Created three transactions',
    'Saved 3/3',
    '3 rows created, 0 rows with errors',
    '3 saved, 0 rolled back',
    'Saved, with one warning for a row',
    '3 transactions saved on 2/3/2026',
  ])('is a yes: %s', async (message) => {
    for (const body of [{ message }, { success: true, message }, message])
      expect(await statesOf({ body }), JSON.stringify(body)).toBe('accepted');
  });

  it('is a yes with any mark of thousands', async () => {
    for (const message of ['1,000 transactions added', '1 000 transactions added', '1\u00a0000 transactions added'])
      expect(await statesOf({ body: { success: true, message } }, 1000), message).toBe('accepted');
  });
});

describe('an answer in words that counts fewer than were sent', () => {
  it.each([
    'Created: 0, Failed: 3',
    'Created: 2, Failed: 1',
    'succeeded=0 failed=3',
    'Saved: 0 Duplicates: 3',
    'Created 2, skipped 1',
    'Imported 2',
    'Errors: 1',
    'Completed with 1 error',
    'Invalid rows: 1',
    'Failed: 0, rejected: 2',
    '3 created 0 skipped 1 failed',
    '2 created / 1 failed',
    '2/3 transactions imported',
    '2 of your 3 transactions were created',
    '3 processed, 2 saved',
    '2 payments recorded',
    'No new transactions were created',
    'Nothing was imported',
    'None of the transactions were imported',
    '3 records processed, 1 with errors',
    '3 received, 1 already exists',
    'One transaction could not be saved',
    'Transaction 2 was rejected',
    'Row 2: invalid date',
    'Partially imported',
    'Some transactions could not be saved',
    'Import done with rejections',
    '2 committed, 1 rolled back',
    'Several rows failed',
    'A row failed',
    'One or more rows failed',
    'The last row was rejected',
    'Not all rows were saved',
    'All but one transaction saved',
    'Success except row 3',
    'Only 2 saved',
    'Two transactions were added',
    'Two rows failed',
    '2 row(s) inserted, 1 row(s) failed',
    '1 row(s) failed',
    'created: 2 records, failed: 1 records',
    'Saved 2/3',
    '2/3 saved',
  ])('leaves a doubt, whatever says yes beside it: %s', async (message) => {
    for (const body of [{ message }, { success: true, message }, message])
      expect(await statesOf({ body }), JSON.stringify(body)).toBe('in-doubt');
  });

  it.each(['Created: 2, Failed: 1', 'Imported 2, rejected 1'])(
    'leaves a doubt where its status refuses: %s',
    async (message) => {
      expect(await statesOf({ status: 422, body: { message } })).toBe('in-doubt');
    },
  );
});

describe('an answer that refuses all rows', () => {
  it.each([
    'Validation failed: 2 errors',
    'Validation failed with 1 error',
    'Created: 0, Failed: 3',
    'Nothing was imported, 1 row is invalid',
    'Row 1: invalid date; row 3: invalid amount',
    'Transaction 2 of 3 is not valid.',
  ])('refuses all of them, though it counts what is wrong: %s', async (message) => {
    expect(await statesOf({ body: { success: false, message } })).toBe('rejected');
    expect(await statesOf({ status: 422, body: { message } })).toBe('rejected');
  });
});

describe('an answer in words to one row', () => {
  it.each(['Created: 1, Failed: 0', 'Warnings: 0, saved: 1', '0 - Success', 'No problems found', 'No update needed'])(
    'is a yes where it counts nothing that is wrong: %s',
    async (message) => {
      for (const body of [{ message }, message]) expect(await stateOfNote({ body })).toBe('accepted');
    },
  );

  it.each([
    'Created: 0, Failed: 1',
    'Could not save the note',
    "Couldn't add the note",
    "Note can't be added",
    'We can’t save this note',
    "The notes weren't saved",
    "The note hasn't been added",
    'The note hasn’t been saved yet',
    "Notes haven't been stored",
    "It won't be saved",
    "The note isn't saved",
    "The service doesn't save notes",
    "We don't accept this note",
    'Note wasnt saved',
    'Nothing was saved',
    'Row 0 rejected',
    'notes[0] failed',
    'Cancelled',
    'Rolled back',
    'Transaction rolled back',
    'The note was rolled-back',
  ])('leaves a doubt where it says no: %s', async (message) => {
    for (const body of [{ message }, message]) expect(await stateOfNote({ body })).toBe('in-doubt');
  });

  it('is a yes to an update that made no record', async () => {
    answer = { body: { message: 'Created: 0, Updated: 1' } };
    const client = aClient(service.url);
    const update = aRecord({ pathId: 'cmp_1' });
    expect(await send(client, recordKind('company-updates'), update)).toMatchObject({ state: 'updated' });
    await client.close();
  });

  it('is a yes where a word only looks like a no', async () => {
    for (const message of ['Note added, the balance is rolled over', 'Deal won, note added', 'Want more? Note saved'])
      expect(await stateOfNote({ body: { message } }), message).toBe('accepted');
  });

  it('is a yes where something else could not be done', async () => {
    expect(await stateOfNote({ body: { message: 'Note saved. We could not send the e-mail.' } })).toBe('accepted');
  });
});
