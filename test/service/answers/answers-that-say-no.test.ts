import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractSettingsSchema } from '../../../src/contract/contract-settings.ts';
import type { RecordKindName } from '../../../src/contract/record-kind.ts';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import type { OutgoingRecord } from '../../../src/service/client.ts';
import type { Outcome } from '../../../src/service/records/outcome.ts';
import { aClient, aFile, aRecord, send, sendAll } from '../builders.ts';
import { answerBytes, type ScriptedAnswer, type ScriptedService, scriptedService } from '../scripted-service.ts';

let answer: ScriptedAnswer = {};
let service: ScriptedService;
beforeAll(async () => {
  service = await scriptedService((socket) => void socket.write(answerBytes(answer)));
});
afterAll(() => service.close());

const assumed = contractSettingsSchema.parse({});

async function outcomeOf(
  given: ScriptedAnswer,
  kind: RecordKindName = 'deals',
  record: OutgoingRecord = aRecord(),
  contract = assumed,
): Promise<Outcome> {
  answer = { status: 201, ...given };
  const client = aClient(service.url, { contract });
  const outcome = await send(client, recordKind(kind), record);
  await client.close();
  return outcome;
}

const amounts = [100, 250.5, 75];
const rows = amounts.map((amount, index) => aRecord({ body: { amount, reference: `ACH-${index}` } }));

async function bulk(
  body: unknown,
  records: readonly OutgoingRecord[] = rows,
  status = 200,
): Promise<readonly Outcome[]> {
  answer = { status, body };
  const client = aClient(service.url);
  const outcomes = await sendAll(client, records);
  await client.close();
  return outcomes;
}

const statesOf = (outcomes: readonly Outcome[]): string => outcomes.map(({ state }) => state).join(' ');
const messageOf = (outcome: Outcome | undefined): string =>
  outcome !== undefined && 'message' in outcome ? outcome.message : '';

describe('an answer of 201 to a create', () => {
  it.each<[string, unknown]>([
    ['the documented result', { success: true, id: 'a', company: { id: 'c' }, url: 'https://app.example.com/a' }],
    ['an id alone', { id: 'a' }],
    ['an id in an envelope', { data: { success: true, id: 'a' } }],
    ['yes in other spellings', { success: 'true', id: 'a' }],
    ['yes as a number', { success: 1, id: 'a', ok: 'yes' }],
    ['empty errors', { success: true, id: 'a', errors: [], error: null, failed: 0, rejected: [], fieldErrors: {} }],
    ['errors that are none', { id: 'a', error: false, errorCode: '0', errorMessage: 'Success', fault: '' }],
    ['errors that are empty inside', { id: 'a', errors: { name: [], count: 0 }, exceptions: [null] }],
    ['warnings and notes', { success: true, id: 'a', warnings: ['The EIN was seen before.'], meta: { took: 3 } }],
    ['counts that come out', { success: true, id: 'a', count: 1, created: 1, failed: 0, total: 0 }],
    ['times', { id: 'a', created: '2026-06-30T10:00:00Z', createdAt: 0, accepted: '2026-06-30', updated: 1782813600 }],
    ['good words and statuses', { id: 'a', status: 'created', code: 201, result: 'OK', state: 'CA' }],
    [
      'the life of a deal',
      { success: true, id: 'a', status: 'In review', stage: 'Lead', company: { status: 'Failed' } },
    ],
    ['words that say there were no errors', { id: 'a', status: 'Completed without errors', result: 'no_errors' }],
    ['a number for an id', { id: 1017 }],
    ['an error of something else beside an id', { success: true, id: 'a', creditReportError: 'no hit' }],
  ])('with %s is Created', async (_what, body) => {
    expect(await outcomeOf({ body })).toMatchObject({ state: 'created' });
  });

  it.each<[string, unknown, string]>([
    ['success: false beside an id', { success: false, id: 'a' }, '"success" is false, although it gives the id a'],
    ['the same in an envelope', { data: { success: false, id: 'a' } }, '"success" is false'],
    ['an envelope that says yes around a no', { success: true, data: { success: false, id: 'a' } }, '"success" is'],
    ['0 for no', { success: 0, id: 'a' }, '"success" is 0'],
    ['"no" for no', { success: 'no', id: 'a' }, '"success" is "no"'],
    ['"false" for no', { success: 'False', id: 'a' }, '"success" is "False"'],
    ['null for an answer', { success: null, id: 'a' }, '"success" is null'],
    ['a no beside the status of a failure', { success: false, statusCode: 500 }, '"statusCode" is 500'],
    ['neither yes nor no', { success: 'pending?', id: 'a' }, '"success" is "pending?"'],
    ['a no in another spelling', { Success: false, id: 'a' }, '"Success" is false'],
    ['another flag', { ok: false, id: 'a' }, '"ok" is false'],
    ['a list of errors', { errors: [{ m: 1 }], id: 'a' }, '"errors" is not empty'],
    ['a list of errors beside a yes', { success: true, errors: ['EIN is wrong'], id: 'a' }, '"errors" is not empty'],
    ['an error by its fields', { success: true, id: 'a', errors: { ein: ['is wrong'] } }, '"errors" is not empty'],
    ['an error in a text', { id: 'a', errorMessage: 'It was already created' }, '"errorMessage" is'],
    ['a code of an error', { id: 'a', error_code: 17 }, '"error_code" is 17'],
    ['a count of failures', { success: true, id: 'a', failedCount: 1 }, '"failedCount" is 1'],
    ['a count of failures in a summary', { id: 'a', summary: { total: 1, failed: 1 } }, '"failed" is 1'],
    ['rejected: true', { id: 'a', rejected: true }, '"rejected" is true'],
    ['nothing created', { id: 'a', created: 0 }, '"created" is 0'],
    ['created: false, as for one that was there', { id: 'a', created: false }, '"created" is false'],
    ['a duplicate', { id: 'a', duplicate: true }, '"duplicate" is true'],
    ['a status in a word', { id: 'a', status: 'rejected' }, '"status" is "rejected"'],
    ['a status in words', { success: true, id: 'a', status: 'NotCreated' }, '"status" is "NotCreated"'],
    ['a status of a part', { id: 'a', result: 'partial_success' }, '"result" is "partial_success"'],
    ['an HTTP status', { id: 'a', statusCode: 422 }, '"statusCode" is 422'],
    ['an HTTP status as text', { id: 'a', status: { code: '500' } }, '"code" is "500"'],
    ['a status that is false', { id: 'a', status: false }, '"status" is false'],
    ['an id of nothing', { success: true, id: 0 }, 'without the id of a record'],
    ['the word for nothing', { success: true, id: 'null' }, 'without the id of a record'],
    ['a GUID of zeros', { id: '00000000-0000-0000-0000-000000000000' }, 'without the id of a record'],
    ['an object for an id', { success: true, id: { value: 'a' } }, 'without the id of a record'],
    ['a list', [{ success: true, id: 'a' }], 'without the id of a record'],
  ])('with %s is In doubt, and says why', async (_what, body, why) => {
    const outcome = await outcomeOf({ body });
    expect(outcome).toMatchObject({ state: 'in-doubt' });
    expect(messageOf(outcome)).toContain(why);
    expect(messageOf(outcome)).toContain('look it up in the service before it is sent again.');
  });

  it.each<[string, unknown]>([
    ['success: false', { success: false, message: 'No.' }],
    ['the same in an envelope', { data: { success: false } }],
    ['other spellings', { success: 'no' }],
    ['a status beside it', { success: false, status: 200, id: null, errors: ['No.'] }],
    ['a status that refuses', { success: false, statusCode: 422, error: { code: 409 } }],
  ])('that says no with %s, and gives no id, is Rejected as documented', async (_what, body) => {
    expect(await outcomeOf({ body })).toMatchObject({ state: 'rejected' });
  });

  it('with a Location and a no in its body is In doubt', async () => {
    const headers = { location: '/v1/deal/deal_7' };
    expect(await outcomeOf({ headers, body: { success: false } })).toMatchObject({ state: 'in-doubt' });
    expect(await outcomeOf({ headers, body: {} })).toMatchObject({ state: 'created', id: 'deal_7' });
    const cut = { ...headers, 'content-type': 'application/json' };
    expect(await outcomeOf({ headers: cut, body: '{"success": false, "mess' })).toMatchObject({ state: 'in-doubt' });
    expect(await outcomeOf({ headers: cut, body: '{"success": true, "mess' })).toMatchObject({ state: 'created' });
  });

  it('that gives back what the row sent says nothing by it', async () => {
    const body = { dealId: 'deal_1', status: 'Declined', note: 'x', failed: 2, errors: ['late'] };
    const note = aRecord({ body });
    expect(await outcomeOf({ body: { id: 'n1', ...body, status: 'declined' } }, 'notes', note)).toMatchObject({
      state: 'created',
    });
    expect(await outcomeOf({ body: { id: 'n1', ...body, status: 'Rejected' } }, 'notes', note)).toMatchObject({
      state: 'in-doubt',
    });
  });

  it('is read by the names and words of the profile', async () => {
    const body = { id: 'a', status: 'Declined', fine: false };
    expect(await outcomeOf({ body })).toMatchObject({ state: 'in-doubt' });
    const withoutStatus = contractSettingsSchema.parse({ answers: { signs: { statuses: [] } } });
    expect(await outcomeOf({ body }, 'deals', aRecord(), withoutStatus)).toMatchObject({ state: 'created' });
    const fine = contractSettingsSchema.parse({ answers: { success: ['fine'], signs: { statuses: [] } } });
    expect(await outcomeOf({ body }, 'deals', aRecord(), fine)).toMatchObject({ state: 'in-doubt' });
    expect(await outcomeOf({ body: { fine: 'no' } }, 'deals', aRecord(), fine)).toMatchObject({ state: 'rejected' });
  });

  it('never repeats a value of the row', async () => {
    const secret = aRecord({ secrets: () => [{ value: 'rejected-4711', label: 'Reference' }] });
    const outcome = await outcomeOf({ body: { id: 'a', status: 'rejected-4711' } }, 'deals', secret);
    expect(messageOf(outcome)).toContain('[Reference]');
    expect(messageOf(outcome)).not.toContain('4711');
  });
});

describe('an answer without a documented id: to a note, to an upload', () => {
  const attachment = () => aRecord({ body: { dealId: 'deal_1' }, file: aFile('content') });

  it.each<[string, ScriptedAnswer]>([
    ['nothing', { status: 204 }],
    ['a yes', { body: { success: true } }],
    ['a yes beside an empty id', { body: { success: true, id: null } }],
    ['an empty object', { body: {} }],
    ['a good word', { body: 'OK' }],
    ['a good word in JSON', { body: '"done"', headers: { 'content-type': 'application/json' } }],
    ['true', { body: true }],
    ['words that say yes', { body: { message: 'Note added. It cannot be changed later.' } }],
    ['a yes beside a warning', { body: { success: true, warnings: ['The status was not known.'] } }],
  ])('that is %s says yes', async (_what, given) => {
    expect(await outcomeOf(given, 'notes')).toMatchObject({ state: 'accepted' });
    expect(await outcomeOf(given, 'attachments', attachment())).toMatchObject({ state: 'accepted' });
  });

  const declined = aRecord({ body: { dealId: 'd1', status: 'Declined', note: 'Not' } });

  it.each([
    'Note for deal d1 (Declined) saved',
    'Saved with the status declined.',
    'Status set to Declined.',
    'Moved from Rejected to Declined.',
  ])('that says yes beside a word that was sent says yes: %s', async (message) => {
    expect(await outcomeOf({ body: { message } }, 'notes', declined)).toMatchObject({ state: 'accepted' });
    expect(await outcomeOf({ body: { message } }, 'notes')).toMatchObject({ state: 'in-doubt' });
  });

  const notInterested = aRecord({ body: { dealId: 'd1', status: 'Not Interested', note: 'Wire failed, not sent' } });

  it.each([
    { message: 'Note (Not Interested) saved' },
    { message: 'Status changed to Not Interested' },
    { result: 'Note added (Not Interested)' },
    { status: 'not_interested', subject: 'Wire failed, not sent' },
    { title: 'Not Interested', detail: 'Wire failed, not sent' },
    'Wire failed, not sent',
  ])('that repeats several words that were sent says nothing by them: %j', async (body) => {
    expect(await outcomeOf({ body }, 'notes', notInterested)).toMatchObject({ state: 'accepted' });
  });

  it.each([
    { error: 'Wire failed, not sent' },
    { message: 'Note (Not Interested) not saved' },
    { status: 'not_saved', detail: 'Wire failed, not sent' },
    { result: 'Not added (Not Interested)' },
  ])('that says no beside several words that were sent leaves a doubt: %j', async (body) => {
    expect(await outcomeOf({ body }, 'notes', notInterested)).toMatchObject({ state: 'in-doubt' });
  });

  it.each([
    'Declined',
    'The note was Declined',
    'Note (Declined) not saved',
    'Not saved: Declined',
    'The status cannot be changed to Declined',
    'Not moved from Rejected to Declined',
    'Saved, and rejected',
  ])('that says no beside a word that was sent leaves a doubt: %s', async (message) => {
    expect(await outcomeOf({ body: { message } }, 'notes', declined)).toMatchObject({ state: 'in-doubt' });
  });

  it.each<[string, ScriptedAnswer]>([
    ['a status of an error', { body: { status: 'error', message: 'Too long.' } }],
    ['an HTTP status', { body: { statusCode: 400, message: 'Bad.' } }],
    ['an error', { body: { error: 'Too long.' } }],
    ['a list with a no', { body: [{ success: false }] }],
    ['false', { body: false }],
    ['a text', { body: 'Error: the note was not saved' }],
    ['a text in JSON', { body: '"rejected"', headers: { 'content-type': 'application/json' } }],
    ['markup', { body: '<response><success>false</success></response>' }],
    ['an empty id', { body: { id: null } }],
    ['an id of nothing', { body: { id: 0 } }],
    ['a message alone that says no', { body: { message: 'Deal not found' } }],
    ['a list of them', { body: { messages: ['Checked.', 'An error has occurred.'] } }],
    ['a warning alone', { body: { warning: 'The note was not saved.' } }],
    ['the kind of an error', { body: { type: 'ValidationException' } }],
    ['an error of the record', { body: { success: true, noteErrors: ['Too long.'] } }],
    ['a problem without its status', { body: { title: 'Invalid request', type: 'about:blank' } }],
  ])('that is %s leaves a doubt', async (_what, given) => {
    expect(await outcomeOf(given, 'notes')).toMatchObject({ state: 'in-doubt' });
    expect(await outcomeOf(given, 'attachments', attachment())).toMatchObject({ state: 'in-doubt' });
  });
});

describe('an answer with the record under the name of its kind', () => {
  const kinds = [
    ['notes', 'note'],
    ['submissions', 'submission'],
    ['submission-loans', 'submissionLoan'],
    ['submission-loans', 'loan'],
    ['leads', 'lead'],
  ] as const;

  it.each(kinds)('leaves a doubt where it says there what went wrong (%s under "%s")', async (kind, name) => {
    for (const record of [{ success: false }, { error: 'closed' }, { id: 7, errors: [{ message: 'closed' }] }])
      expect(await outcomeOf({ body: { [name]: record } }, kind)).toMatchObject({ state: 'in-doubt' });
  });

  it.each(kinds)('says yes where it tells a state of the record (%s under "%s")', async (kind, name) => {
    for (const record of [
      {},
      { status: 'Declined' },
      { success: true, error: null },
      { errors: [], message: 'Not rated' },
    ])
      expect(await outcomeOf({ body: { [name]: record } }, kind)).toMatchObject({ state: 'accepted' });
  });

  it.each<[RecordKindName, unknown]>([
    ['attachments', { files: [{ name: 'june.pdf', error: 'File type not allowed' }] }],
    ['attachments', { upload: { success: false } }],
    ['notes', { notes: [{ success: false }] }],
    ['notes', { data: { addNote: { ok: false } } }],
    ['notes', { deal: { id: 'deal_1', error: 'closed' } }],
    ['leads', { request: { company: { errors: ['no name'] } } }],
  ])('leaves a doubt where it says what went wrong under any other name (%s: %j)', async (kind, body) => {
    const upload = aRecord({ body: { dealId: 'deal_1' }, file: aFile('content') });
    const outcome = await outcomeOf({ body }, kind, kind === 'attachments' ? upload : aRecord());
    expect(outcome).toMatchObject({ state: 'in-doubt' });
  });

  it.each<unknown>([
    { notes: [{ id: 'n0', status: 'Declined', note: 'failed' }, { id: 'n1' }] },
    { deal: { id: 'deal_1', status: 'Declined', tags: ['rejected'], submissions: { sent: 3, declined: 2 } } },
    { history: [{ status: 'failed', created: false }], user: { disabled: true, errors: [], ok: true } },
  ])('says yes where it tells states of other records: %j', async (body) => {
    expect(await outcomeOf({ body }, 'notes')).toMatchObject({ state: 'accepted' });
  });

  it('is Rejected as documented, whatever records it names beside its no', async () => {
    const body = { success: false, deal: { id: 'deal_1', owners: [{ id: 'own_1' }] } };
    expect(await outcomeOf({ body }, 'notes')).toMatchObject({ state: 'rejected' });
  });

  it('says no to an update of a company that stands there with an error', async () => {
    const update = aRecord({ pathId: 'cmp_1' });
    const body = { company: { id: 'cmp_1', success: false } };
    expect(await outcomeOf({ status: 200, body }, 'company-updates', update)).not.toMatchObject({ state: 'updated' });
  });

  it('takes the id of a deal whose company has an error of its own', async () => {
    const body = { success: true, id: 'deal_1', company: { id: 'cmp_1', error: 'no credit report' } };
    expect(await outcomeOf({ body }, 'deals')).toMatchObject({ state: 'created', id: 'deal_1' });
  });
});

describe('a message that repeats its row', () => {
  const note = (text: string) => aRecord({ body: { dealId: 'deal_1', status: 'Declined', note: text } });

  it.each<[string, string]>([
    ['in brackets', 'Note for deal_1 (Declined) saved.'],
    ['in quotes', 'Note with status "Declined" saved.'],
    ['as a sentence', 'Saved: was rejected by the bank'],
  ])('%s is read without that', async (_how, message) => {
    const outcome = await outcomeOf({ body: { message } }, 'notes', note('was rejected by the bank'));
    expect(outcome).toMatchObject({ state: 'accepted' });
  });

  it.each<[string, string]>([
    ['failed', 'Note creation failed.'],
    ['not saved', 'The note was not saved.'],
    ['rejected', 'rejected'],
    ['x', 'Declined'],
  ])('by a word that may be its own (%s: %s) leaves a doubt', async (text, message) => {
    expect(await outcomeOf({ body: { message } }, 'notes', note(text))).toMatchObject({ state: 'in-doubt' });
  });
});

describe('a status that refuses', () => {
  it('a record whose body says yes and gives an id leaves a doubt', async () => {
    const made = { success: true, id: 'deal_9', warning: 'phone ignored' };
    expect(await outcomeOf({ status: 422, body: made })).toMatchObject({ state: 'in-doubt' });
    expect(await outcomeOf({ status: 409, body: { id: 'deal_7', status: 'created' } })).toMatchObject({
      state: 'rejected',
    });
  });

  it.each<[string, unknown, string]>([
    [
      'items that say yes',
      {
        success: false,
        results: [
          { id: 'A', success: true },
          { success: false, error: 'closed' },
          { id: 'C', success: true },
        ],
      },
      'in-doubt rejected in-doubt',
    ],
    [
      'items that say yes without an id',
      { results: [{ success: true }, { success: false, error: 'closed' }, { success: true }] },
      'in-doubt rejected in-doubt',
    ],
    ['words that say yes', { results: ['ok', 'failed', 'ok'] }, 'in-doubt rejected in-doubt'],
    ['the status of a part', { status: 'partial_success', errors: [{ index: 1 }] }, ''],
    ['a number of rows accepted', { accepted: 2, rejected: 1 }, ''],
    ['a number of rows that succeeded', { succeeded: 2, failed: 1 }, ''],
    ['a part of the whole that was added', { message: '2 of 3 transactions added' }, ''],
    [
      'an id of another name for some',
      { results: [{ transactionId: 'A', status: 'created' }, { error: 'closed' }, { error: 'closed' }] },
      'in-doubt rejected rejected',
    ],
    ['a number of rows made', { message: '1 of 3 failed', created: 2, errors: [{ index: 1, message: 'closed' }] }, ''],
    [
      'ids, and a reason for one',
      { results: [{ id: 'A' }, { error: 'x' }, { id: 'C' }] },
      'in-doubt rejected in-doubt',
    ],
    [
      'ids by the names of their rows',
      { results: { 'ACH-0': { id: 'A' }, 'ACH-1': { error: 'x' }, 'ACH-2': { id: 'C' } } },
      'in-doubt rejected in-doubt',
    ],
    [
      'yes and no by the names of their rows',
      { 'ACH-0': 'created', 'ACH-1': 'rejected', 'ACH-2': 'created' },
      'in-doubt rejected in-doubt',
    ],
    ['ids, and nothing for one', { error: 'x', transactions: [{ id: 'A' }, null, { id: 'C' }] }, ''],
    ['ids in a list of another name', { error: 'x', records: [{ id: 'txn_1' }, { id: 'txn_3' }] }, ''],
    ['a list of new ids', { error: 'x', transactionIds: ['txn_1', 'txn_3'] }, ''],
    ['a yes', { success: true, errors: [{ index: 1, message: 'closed' }] }, ''],
    ['a flag of a part', { success: 'partial' }, ''],
    ['a part that was saved, in words', { detail: 'Some rows were saved' }, ''],
    ['a part that was saved, in an error', { error: { message: 'Some rows were saved' } }, ''],
    ['a part that was not saved', { message: 'Some of the transactions could not be saved.' }, ''],
    ['all but one that were saved', { message: 'All but row 2 were imported' }, ''],
    ['the failure of a part', { error: 'PARTIAL_FAILURE' }, ''],
    ['a part of an import', { message: 'Partially imported' }, ''],
    ['an end with errors', { message: 'Import completed with errors' }, ''],
    ['ids beside the refused rows', { transactions: [{ id: 'A' }, { id: 'C' }], failed: [{ index: 1 }] }, ''],
  ])('rows beside %s leaves a doubt about those that may be in', async (_what, body, states) => {
    const outcomes = await bulk(body, rows, 422);
    expect(statesOf(outcomes)).toBe(states === '' ? 'in-doubt in-doubt in-doubt' : states);
  });

  it.each<[string, unknown]>([
    ['the errors of some', { errors: [{ index: 1, message: 'closed' }], count: 1 }],
    ['the number of wrong rows', { failed: 1, rejected: [{ index: 1, error: 'closed' }] }],
    ['errors with ids of their own', { data: [{ id: 'e1', message: 'closed' }] }],
    ['an item for each, all refused', { results: [{ error: 'a' }, { error: 'b' }, { error: 'c' }] }],
    ['a part of the whole that failed', { message: '1 of 3 transactions failed' }],
    ['a rule of how many can be added', { message: 'At most 2 transactions can be added at once.' }],
    ['items that were only checked', { results: [{ valid: true }, { valid: false }, { status: 'valid' }] }],
    ['a no to some', { message: 'Some transactions are not valid.' }],
    ['a rule of some', { message: 'Some transactions cannot be processed: the deal is closed.' }],
    ['a fault of some', { message: 'Some records have an invalid address.' }],
    ['a rule of parts', { message: 'Partial payments are not accepted' }],
    ['another rule of parts', { error: 'Partial imports are not allowed.' }],
    ['the end of a check', { message: 'Validation completed with errors' }],
    ['a check of all', { message: 'Not all required fields are present' }],
    ['the names of those that are wrong', { message: 'Known already', references: ['ACH-1'] }],
    ['an id of the request', { id: 'req-17', requestId: 'req-17', error: 'closed' }],
    ['items with a reason for one', { transactions: [{}, { amount: ['is too small'] }, {}] }],
    ['none accepted', { accepted: 0, succeeded: 0, rejected: 3 }],
    ['nothing made', { created: 0, errors: [{ index: 0 }] }],
    ['what was sent', { transactions: rows.map(({ body }) => body) }],
  ])('rows with %s refuses all of them', async (_what, body) => {
    expect(statesOf(await bulk(body, rows, 422))).toBe('rejected rejected rejected');
  });
});

describe('an answer to an update', () => {
  const update = (body: unknown) => outcomeOf({ status: 200, body }, 'company-updates', aRecord({ pathId: 'cmp_1' }));

  it('without a no is a yes', async () => {
    for (const body of ['', {}, { success: true, id: 'cmp_1' }, { id: 'cmp_1', updated: true, errors: [] }]) {
      expect(await update(body), JSON.stringify(body)).toMatchObject({ state: 'updated', id: 'cmp_1' });
    }
    expect(await update({ success: true, created: false, updated: 1, modified: 0 })).toMatchObject({
      state: 'updated',
    });
  });

  it('with the documented no is Rejected, its id or not: what it names was there before', async () => {
    expect(await update({ success: false })).toMatchObject({ state: 'rejected' });
    expect(await update({ success: false, id: 'cmp_1' })).toMatchObject({ state: 'rejected' });
  });

  it('with any other no is In doubt', async () => {
    for (const body of [
      { error: 'No such company.' },
      { status: 'failed' },
      { success: true, id: 'cmp_1', errors: ['EIN was not changed'] },
      { updated: 0 },
      { found: false },
      'Error',
    ]) {
      expect(await update(body), JSON.stringify(body)).toMatchObject({ state: 'in-doubt' });
    }
  });
});

describe('an answer to many rows, without a list of them', () => {
  it.each<[string, unknown]>([
    ['a yes', { success: true }],
    ['counts that come out', { success: true, count: 3, accepted: 3, rejected: 0, failed: [] }],
    ['a count for a flag', { success: 3, failed: 0 }],
    ['counts in a summary', { status: 'completed', summary: { created: 3, updated: 0, errors: [] } }],
    ['more than were sent', { success: true, count: 1002 }],
    ['the state of a deal', { success: true, deal: { id: 'deal_1', status: 'Declined' } }],
    ['the state of loans', { success: true, loans: [{ id: 'loan_1', status: 'Partially paid' }] }],
    ['counts of deals', { success: true, summary: { deals: { created: 0, count: 1 }, transactions: { created: 3 } } }],
    ['ids that are numbers as the amounts are', { records: [{ id: 99 }, { id: 100 }, { id: 101 }] }],
    [
      'settings',
      { success: true, stopOnError: true, maxErrors: 5, duplicateCheck: 'passed', no: 17, errorFileUrl: 'x' },
    ],
    ['names of no that hold nothing', { success: true, writeErrors: [], notCreated: 0, failedEntryCount: '0' }],
    ['fields that are not known', { success: true, unknownFields: ['memo'] }],
    ['a number in words that comes out', { success: true, message: '3 transactions added for 2 deals, 0 failed' }],
    ['a number of something else', { success: true, message: 'Batch 2 transactions saved in 1 file' }],
    ['a rule', { success: true, message: 'Saved. At most 2 transactions can be added at once.' }],
  ])('that is %s says yes to each', async (_what, body) => {
    expect(statesOf(await bulk(body))).toBe('accepted accepted accepted');
  });

  it.each<[string, unknown]>([
    ['a smaller count', { success: true, count: 2 }],
    ['a smaller count for a flag', { success: 2 }],
    ['counts of both', { success: true, accepted: 1, rejected: 2 }],
    ['counts of both in a summary', { success: true, summary: { imported: '2', failedRows: 1 } }],
    ['a count of failures', { success: true, failed: 1 }],
    ['a count of invalid rows', { success: true, totalInvalid: 1 }],
    ['a number of failures', { success: true, numberFailed: 1 }],
    ['a count of failures in many words', { success: true, totalNumberOfFailedTransactionsCount: 1 }],
    ['a count of failed rows', { success: true, failedRowCount: 1 }],
    ['a total of rows that failed', { success: true, total_rows_failed: 1 }],
    ['a number of rows made', { success: true, numberOfRecordsInserted: 2 }],
    ['a flag of all', { isValid: false }],
    ['counts that contradict each other', { success: true, accepted: 3, failed: 1 }],
    ['a no beside rows that are in', { success: false, accepted: 2, rejected: 1 }],
    ['a no beside ids of another name', { success: false, entries: [{ transactionId: 'A' }, { reason: 'closed' }] }],
    ['a no beside the status of a failure', { success: false, statusCode: 500, message: 'x' }],
    ['a no beside an error of the service', { success: false, error: { code: 503, message: 'x' } }],
    ['a no beside a number of refused rows', { success: false, failed: 1 }],
    ['a no beside some refused rows', { success: false, failed: [{ index: 0, reason: 'closed' }] }],
    ['a no beside ids', { success: false, made: [{ id: 'A' }, { id: 'B' }] }],
    ['a shorter list of ids', { success: true, createdIds: ['A', 'B'] }],
    ['a shorter list of bare ids', { success: true, ids: ['A', 'B'] }],
    ['a list of ids with a hole', { success: true, ids: ['A', null, 'C'] }],
    ['a count of affected rows', { rowsAffected: 2 }],
    ['a part of the whole in words', { message: '2 of 3 transactions added' }],
    ['a text of that', '2 out of 3 added'],
    ['a no beside the status of a part', { success: false, status: 'partial_success' }],
    ['a no beside the status of an end', { success: false, status: 'COMPLETED_WITH_ERRORS', errors: [{ index: 1 }] }],
    ['a no to some in words', { success: false, message: 'Some of the transactions could not be saved.' }],
    ['errors of rows', { success: true, writeErrors: [{ index: 1, reason: 'closed' }] }],
    ['an error of a part', { success: true, partialFailureError: { code: 3 } }],
    ['errors by their rows', { success: true, errorsByRow: { 1: 'closed' } }],
    ['rows that were not made', { success: true, notCreated: 1 }],
    ['a count of failed entries', { FailedEntryCount: 1 }],
    ['rows that were dropped', { success: true, summary: { droppedRows: ['ACH-1'] } }],
    ['rejects', { success: true, rejects: [{ reason: 'closed' }] }],
    ['conflicts', { success: true, conflicts: 1 }],
    ['a smaller number of records', { success: true, recorded: 2 }],
    ['a smaller number', 2],
    ['a smaller number in words', { success: true, message: 'Successfully imported 2 records.' }],
    ['a number of failures in words', { success: true, message: '2 transactions added, 1 failed' }],
    ['rows that are in beside a no in words', { success: false, message: '2 added, 1 failed' }],
    ['a message that says no', { message: 'Transactions could not be saved.' }],
    [
      'a refused row whose number may count from 0 or from 1',
      { success: true, failed: [{ index: 1, message: 'bad' }] },
    ],
    ['a refused row without its number', { success: true, failed: [{ message: 'bad' }] }],
    ['a refused row without a yes to the others', { failed: [{ index: 0, message: 'bad' }] }],
    ['a refused row and a greater count', { success: true, accepted: 1, failed: [{ index: 0 }] }],
    ['a no in a list of another name', { success: true, responses: [{ id: 'A' }, { success: false }, { id: 'C' }] }],
    ['words in a list of another name', { success: true, responses: ['ok', 'failed', 'ok'] }],
    ['a no by its number', { success: true, rows: { 0: { id: 'A' }, 1: { status: 'error' } } }],
    ['a status of a part', { success: true, status: 'partially_accepted' }],
    ['an error of a deal', { success: true, deals: [{ id: 'deal_1', error: 'closed' }] }],
    ['a no to rows of a deal', { success: true, deal: { id: 'deal_1', transactions: [{ status: 'failed' }] } }],
    ['rows passed over', { success: true, skipped: 1 }],
    ['false', false],
  ])('that is %s leaves all in doubt', async (_what, body) => {
    const outcomes = await bulk(body);
    expect(statesOf(outcomes)).toBe('in-doubt in-doubt in-doubt');
    expect(messageOf(outcomes[1])).toContain('no plain yes: ');
  });

  it.each<unknown>([
    { failed: [0] },
    { rejected: ['0'] },
    { errors: [0] },
    { skipped: [0] },
    { failedIndexes: [0] },
    { failedIndex: 0 },
    { failed: { indexes: [0] } },
    { errors: [{ index: 0 }] },
    { errors: [{ row_number: '0' }] },
    { duplicates: { rows: [{ idx: 0 }] } },
  ])('that is a yes beside the number of the first row alone leaves all in doubt: %j', async (body) => {
    expect(statesOf(await bulk({ success: true, ...Object(body) }))).toBe('in-doubt in-doubt in-doubt');
  });

  it.each<unknown>([
    { failed: 0 },
    { errors: '0' },
    { failed: { count: 0 } },
    { errors: { rows: [], total: 0 } },
    { failed: [null] },
    { failed: [false, false, false] },
    { invalid: [0, 0, 0] },
    { errors: [{ count: 0 }] },
    { errorCodes: [0] },
    { failedIndex: null },
  ])('that is a yes beside a number of nothing says yes to each: %j', async (body) => {
    expect(statesOf(await bulk({ success: true, ...Object(body) }))).toBe('accepted accepted accepted');
  });

  it('that names the first row alone by its number among the refused ones refuses that row', async () => {
    for (const name of ['index', 'row', 'row_number'])
      expect(statesOf(await bulk({ success: true, failed: [{ [name]: 0 }] }))).toBe('rejected accepted accepted');
  });

  it('that refuses the request, and names the rows that are wrong, refuses all of them', async () => {
    const errors = [{ path: 'transactions[1].amount', message: 'is too small' }];
    expect(statesOf(await bulk({ success: false, errors }))).toBe('rejected rejected rejected');
    expect(statesOf(await bulk({ success: false, failed: 3 }))).toBe('rejected rejected rejected');
    for (const message of ['Transaction 2 of 3 is not valid.', 'Some fields are missing.', 'Departments differ.'])
      expect(statesOf(await bulk({ success: false, message })), message).toBe('rejected rejected rejected');
  });

  it('of which there is one, with a no beside an id leaves a doubt, as to any row', async () => {
    const one = rows.slice(0, 1);
    expect(statesOf(await bulk({ success: false, id: 't1' }, one))).toBe('in-doubt');
    expect(statesOf(await bulk({ success: false, transactionId: 't1' }, one))).toBe('in-doubt');
    expect(statesOf(await bulk({ success: true, id: 't1' }, one, 422))).toBe('in-doubt');
    expect(statesOf(await bulk({ success: false, message: 'No.' }, one))).toBe('rejected');
    expect(statesOf(await bulk({ id: 'e1', message: 'No.' }, one, 422))).toBe('rejected');
  });

  it('with a number that could be a good status is a number of rows all the same', async () => {
    const many = Array.from({ length: 250 }, () => aRecord());
    expect(new Set((await bulk({ success: 220 }, many)).map(({ state }) => state))).toEqual(new Set(['in-doubt']));
    expect(new Set((await bulk({ success: 250 }, many)).map(({ state }) => state))).toEqual(new Set(['accepted']));
  });

  it('that names the refused rows beyond doubt refuses them alone', async () => {
    const outcomes = await bulk({ success: true, failed: [{ index: 0, message: 'bad' }] });
    expect(statesOf(outcomes)).toBe('rejected accepted accepted');
    expect(messageOf(outcomes[0])).toBe('Bad.');
    expect(statesOf(await bulk({ accepted: 2, rejected: [{ reference: 'ACH-1', reason: 'bad' }] }))).toBe(
      'accepted rejected accepted',
    );
    expect(statesOf(await bulk({ success: false, accepted: 2, rejected: [{ reference: 'ACH-1' }] }))).toBe(
      'in-doubt in-doubt in-doubt',
    );
    for (const id of [{ id: 'A' }, { transactionId: 'A' }, { status: 504 }]) {
      expect(statesOf(await bulk({ success: true, failed: [{ index: 0, ...id }] }))).toBe('in-doubt accepted accepted');
    }
  });
});

describe('a list of refused rows that names none, beside a yes', () => {
  it.each<unknown>([
    { rejected: [null, 'Deal is closed', null] },
    { failed: [false, true, false] },
    { failures: [[], ['bad'], []] },
    { failures: [{}, { error: 'bad' }, {}] },
    { invalid: [0, 1, 0] },
    { failed: ['amount is bad', 'date is bad', 'type is bad'] },
    { rejected: [{ message: 'a' }, { message: 'b' }, { message: 'c' }] },
    { accepted: 2, rejected: [null, 'Deal is closed', null] },
  ])('tells of no row by its places, also where it is as long as the rows: %j', async (body) => {
    expect(statesOf(await bulk({ success: true, ...Object(body) }))).toBe('in-doubt in-doubt in-doubt');
  });

  it('tells of each row where the answer counts none that is in', async () => {
    const rejected = [{ message: 'a' }, { message: 'b' }, { message: 'c' }];
    expect(statesOf(await bulk({ success: true, accepted: 0, rejected }))).toBe('rejected rejected rejected');
  });

  it('tells of the rows that it names, whatever empty places it has', async () => {
    const rejected = [null, { reference: 'ACH-1', reason: 'bad' }, null];
    expect(statesOf(await bulk({ success: true, rejected }))).toBe('accepted rejected accepted');
  });
});

describe('an item for each row', () => {
  it.each<[string, unknown, string]>([
    ['a null', { transactions: [{ id: 'A' }, null, { id: 'C' }] }, 'created in-doubt created'],
    ['an id beside a no', [{ id: 'A' }, { id: 'B', status: 'rejected' }, { id: 'C' }], 'created in-doubt created'],
    [
      'an id of another name beside a no',
      [{ transactionId: 'A' }, { transactionId: 'B', status: 'declined' }, { transactionId: 'C' }],
      'accepted in-doubt accepted',
    ],
    [
      'the id of its row beside a no',
      [{ id: 'A' }, { rowId: 2, status: 'declined' }, { id: 'C' }],
      'created rejected created',
    ],
    ['a no without an id', [{ id: 'A' }, { status: 'rejected' }, { id: 'C' }], 'created rejected created'],
    ['a no in an envelope', [{ id: 'A' }, { response: { status: 400 } }, { id: 'C' }], 'created rejected created'],
    ['yes and no', [{ id: 'A' }, { success: true, error: 'x' }, { id: 'C' }], 'created in-doubt created'],
    ['a part', [{ id: 'A' }, { status: 'partial' }, { id: 'C' }], 'created in-doubt created'],
    ['a duplicate', [{ id: 'A' }, { status: 'duplicate', id: 'B' }, { id: 'C' }], 'created in-doubt created'],
    ['an empty id', [{ id: 'A' }, { id: null }, { id: 'C' }], 'created in-doubt created'],
    ['nothing, where others get ids', [{ id: 'A' }, {}, { id: 'C' }], 'created in-doubt created'],
    [
      'nothing, where others get ids of another name',
      [{ transactionId: 'A' }, { reason: 'closed' }, { transactionId: 'C' }],
      'accepted in-doubt accepted',
    ],
    ['an empty id of another name', [{ _id: 7 }, { _id: null }, { _id: 9 }], 'accepted in-doubt accepted'],
    [
      'ids of another name that are numbers as amounts are',
      [100, 101, 102].map((uuid) => ({ uuid })),
      'accepted accepted accepted',
    ],
    ['an id of another name', [{ Id: 'A' }, { Id: 'B' }, { Id: 'C' }], 'accepted accepted accepted'],
    ['nothing for each', [{}, {}, {}], 'accepted accepted accepted'],
    ['its deal', [1, 2, 3].map((row) => ({ row, deal: { status: 'Declined' } })), 'accepted accepted accepted'],
    ['a yes without an id', [{ id: 'A' }, { status: 'created' }, { id: 'C' }], 'created accepted created'],
    ['a message alone', [{ id: 'A' }, { message: 'account closed' }, { id: 'C' }], 'created in-doubt created'],
    ['nothing, where others get a yes', [{ success: true }, {}, { success: true }], 'accepted in-doubt accepted'],
    [
      'a word of its own, where others get a yes',
      [{ status: 'accepted' }, { status: 'account closed' }, { status: 'accepted' }],
      'accepted in-doubt accepted',
    ],
    [
      'a row that is taken and waits, where others get a yes',
      [{ status: 'processed' }, { status: 'Pending' }, { status: 'in_progress' }],
      'accepted accepted accepted',
    ],
    [
      'a row that waits, where others get ids',
      [{ id: 'A' }, { status: 'pending' }, { id: 'C' }],
      'created in-doubt created',
    ],
    ['a code among words', ['OK', 'R02', 'OK'], 'accepted in-doubt accepted'],
    ['a word of its own among words', ['ok', 'closed', 'ok'], 'accepted in-doubt accepted'],
    ['an id beside a yes', [{ success: true }, { transactionId: 'B' }, { id: 'C' }], 'accepted accepted created'],
    ['a message that says no', [{}, { message: 'The deal was not found.' }, {}], 'accepted in-doubt accepted'],
    ['a text', ['t-1', 'account closed 123', 't-3'], 'created in-doubt created'],
    ['a no inside', [{}, { create: { status: 400 } }, {}], 'accepted rejected accepted'],
    [
      'under its number',
      { results: { 0: { id: 'A' }, 1: { success: false }, 2: { id: 'C' } } },
      'created rejected created',
    ],
    ['words', ['ok', 'failed', 'ok'], 'accepted rejected accepted'],
    ['an id with a no in its midst', ['UymPqfKoWzet', 'BjeRtyLmPoiu', 'XcvBnmAsdFgh'], 'in-doubt created created'],
    [
      'words put together',
      ['TransactionCreated', 'TransactionRejected', 'TransactionCreated'],
      'accepted in-doubt accepted',
    ],
    ['truth values', [true, false, true], 'accepted rejected accepted'],
    ['an empty list', [{ id: 'A' }, [], { id: 'C' }], 'created in-doubt created'],
    ['one id twice', [{ id: 'A' }, { id: 'A' }, { id: 'C' }], 'in-doubt in-doubt created'],
    ['numbers', [{ id: 7 }, { id: 8 }, { id: 9 }], 'created created created'],
  ])('may be %s', async (_what, body, states) => {
    expect(statesOf(await bulk(body))).toBe(states);
  });

  it.each<[string, unknown]>([
    ['one number twice', [0, 0, 2].map((index) => ({ index, id: `t${index}` }))],
    ['a number of no row', [0, 1, 7].map((index) => ({ index, id: `t${index}` }))],
    ['no number in one of them', [{ index: 0, id: 'A' }, { id: 'B' }, { index: 2, id: 'C' }]],
    ['two numbers that differ', [0, 1, 2].map((index) => ({ index, row: 3 - index, id: `t${index}` }))],
    [
      'a number and a name that differ',
      [0, 1, 2].map((index) => ({ index, reference: `ACH-${2 - index}`, id: `t${index}` })),
    ],
    ['one name twice', [0, 0, 2].map((row, index) => ({ reference: `ACH-${row}`, id: `t${index}` }))],
  ])('that contradicts the others leaves all in doubt: %s', async (_what, body) => {
    expect(statesOf(await bulk({ transactions: body }))).toBe('in-doubt in-doubt in-doubt');
  });

  it('in another order is matched by what it repeats of its row, by itself or inside', async () => {
    const ids = ['A', 'B', 'C'];
    const item = (row: number) => ({ id: ids[row], amount: amounts[row], type: 'ACH' });
    const inside = (row: number) => ({ id: ids[row], transaction: { amount: String(amounts[row]) } });
    for (const transactions of [[2, 1, 0].map(item), [2, 1, 0].map(inside)]) {
      expect(await bulk({ transactions })).toMatchObject(ids.map((id) => ({ state: 'created', id })));
    }
  });

  it('that refuses a row refuses that which it repeats, wherever it stands', async () => {
    const refused = { transaction: rows[0]?.body, success: false, error: 'account closed' };
    const made = [1, 2].map((row) => ({ id: `t${row}`, transaction: rows[row]?.body }));
    expect(await bulk({ results: [...made, refused] })).toMatchObject([
      { state: 'rejected' },
      { state: 'created', id: 't1' },
      { state: 'created', id: 't2' },
    ]);
  });

  it('that names its row under another of the names for that is matched by it', async () => {
    const named = ['R-1', 'R-2', 'R-3'].map((reference) => aRecord({ body: { reference, amount: 10 } }));
    for (const name of ['externalReference', 'key']) {
      const results = [
        { id: 't2', [name]: 'R-2' },
        { id: 't3', [name]: 'R-3' },
        { [name]: 'R-1', success: false },
      ];
      expect(statesOf(await bulk({ results }, named)), name).toBe('rejected created created');
    }
    const numbered = ['1', '2', '3'].map((reference) => aRecord({ body: { reference, amount: 10 } }));
    expect(await bulk({ results: [{ id: 2 }, { id: 3 }, { id: 1 }] }, numbered)).toMatchObject([
      { id: '2' },
      { id: '3' },
      { id: '1' },
    ]);
  });

  it('that repeats the name of another row is not in its place, whatever else it repeats', async () => {
    const named = ['R-1', 'R-1', 'R-2'].map((reference, row) => aRecord({ body: { reference, amount: 10 + row } }));
    const transactions = ['R-2', 'R-1', 'R-1'].map((reference, row) => ({
      id: `t${row}`,
      reference,
      amount: 10 + row,
    }));
    expect(statesOf(await bulk({ transactions }, named))).toBe('in-doubt in-doubt in-doubt');
  });

  it('that repeats an id or a number that its row sent says nothing by it', async () => {
    const sent = amounts.map((amount, row) => aRecord({ body: { id: `x${row}`, row: 2 - row, amount } }));
    const items = sent.map(({ body }, row) => (row === 1 ? { ...body, error: 'closed' } : body));
    expect(statesOf(await bulk({ transactions: items }, sent))).toBe('created rejected created');
  });

  it('that moves a day to the next business day, which another row has, is in its place all the same', async () => {
    const days = ['2026-06-06', '2026-06-07', '2026-06-08'];
    const weekend = days.map((date, row) => aRecord({ body: { date, amount: 10 + row, type: 'ACH' } }));
    const transactions = days.map((_, row) => ({ id: `t${row}`, date: '2026-06-08', amount: 10 + row, type: 'ACH' }));
    expect(await bulk({ transactions }, weekend)).toMatchObject([{ id: 't0' }, { id: 't1' }, { id: 't2' }]);
  });

  it('that moves the days of equal debits over a weekend is matched by its number, by its name, or in its place', async () => {
    const days = ['2026-06-05', '2026-06-06', '2026-06-07', '2026-06-08'];
    const debit = { dealId: 'deal_1', amount: 228.57 };
    const moved = days.map((date) => ({ ...debit, date: date < '2026-06-06' ? date : '2026-06-08' }));
    const numbers = days.map((_, index) => ({ index }));
    const names = days.map((_, row) => ({ reference: `R-${row}` }));
    for (const [sent, said] of [
      [[], []],
      [[], numbers],
      [names, names],
    ] as const) {
      const debits = days.map((date, row) => aRecord({ body: { ...debit, date, ...sent[row] } }));
      const transactions = moved.map((item, row) => ({ id: `t${row}`, ...item, ...said[row] }));
      expect(await bulk({ transactions }, debits), JSON.stringify(said)).toMatchObject(
        days.map((_, row) => ({ id: `t${row}` })),
      );
    }
  });

  it('that tells of equal debits in another order than their days were sent in is matched by its day', async () => {
    const days = ['2026-06-03', '2026-06-04', '2026-06-05'];
    const debits = days.map((date) => aRecord({ body: { dealId: 'deal_1', amount: 228.57, date } }));
    const results = [2, 0, 1].map((row) => ({ id: `t${row}`, amount: 228.57, date: days[row] }));
    expect(await bulk({ results }, debits)).toMatchObject([{ id: 't0' }, { id: 't1' }, { id: 't2' }]);
  });

  it('with its row in the file, or its place in all that was ever sent, is in its place', async () => {
    for (const [name, from] of [
      ['row', 2],
      ['position', 101],
    ] as const) {
      const results = amounts.map((_, row) => ({ id: `t${row}`, [name]: from + row }));
      expect(statesOf(await bulk({ results }))).toBe('created created created');
      expect(statesOf(await bulk({ results: results.toReversed() }))).toBe('in-doubt in-doubt in-doubt');
    }
  });

  it('that repeats one thing of its row and the name of another leaves all in doubt', async () => {
    const named = amounts.map((amount, row) => aRecord({ body: { reference: `R-${row}`, amount } }));
    const results = amounts.map((amount, row) => ({ id: `t${row}`, amount, reference: `R-${(row + 1) % 3}` }));
    expect(statesOf(await bulk({ results }, named))).toBe('in-doubt in-doubt in-doubt');
  });

  it('that is named, and has a value in which the service writes several rows alike, is matched by its name', async () => {
    for (const types of [
      ['ach', 'ACH', 'Ach'],
      ['wire', 'ACH', 'ACH'],
    ]) {
      const named = types.map((type, row) => aRecord({ body: { reference: `R-${row}`, amount: 10, type } }));
      const transactions = [2, 1, 0].map((row) => ({ id: `t${row}`, reference: `R-${row}`, amount: 10, type: 'ACH' }));
      const outcomes = await bulk({ transactions }, named);
      expect(outcomes, types.join()).toMatchObject([{ id: 't0' }, { id: 't1' }, { id: 't2' }]);
    }
  });

  it('that writes equal debits in capitals is in its place', async () => {
    const debits = ['ach', 'ACH', 'ach'].map((type) => aRecord({ body: { dealId: 'deal_1', amount: 228.57, type } }));
    const transactions = debits.map(({ body }, row) => ({ ...body, id: `t${row}`, type: 'ACH' }));
    expect(statesOf(await bulk({ transactions }, debits))).toBe('created created created');
  });

  it('with a key of its own is matched by what it repeats', async () => {
    const named = amounts.map((amount, row) => aRecord({ body: { reference: `R-${row}`, amount } }));
    const transactions = [2, 1, 0].map((row) => ({ id: `t${row}`, key: `k${row}`, amount: amounts[row] }));
    expect(await bulk({ transactions }, named)).toMatchObject([{ id: 't0' }, { id: 't1' }, { id: 't2' }]);
  });

  it('that repeats a day as its midnight, or the row two envelopes deep, is matched by it', async () => {
    const daily = ['2026-06-01', '2026-06-02', '2026-06-03'].map((date) => aRecord({ body: { amount: 10, date } }));
    const said = (row: number) => ({ amount: 10, date: `2026-06-0${row}T00:00:00.000Z` });
    const flat = [
      { id: 't2', ...said(2) },
      { id: 't3', ...said(3) },
      { ...said(1), success: false },
    ];
    expect(statesOf(await bulk({ results: flat }, daily))).toBe('rejected created created');
    const deep = flat.map(({ id, success, ...attributes }: Record<string, unknown>) => ({
      ...(id === undefined ? { success } : { id }),
      data: { type: 'transactions', attributes },
    }));
    expect(statesOf(await bulk({ results: deep }, daily))).toBe('rejected created created');
  });

  it('that repeats the row gives the reason that is none of its values', async () => {
    const record = aRecord({ body: { description: 'Tx A' }, secrets: () => [{ value: 'Tx A', label: 'Description' }] });
    const [outcome] = await bulk({ results: [{ success: false, description: 'Tx A', error: 'account closed' }] }, [
      record,
    ]);
    expect(outcome).toMatchObject({ state: 'rejected', message: 'Account closed.' });
  });

  it('that repeats another row leaves all in doubt where rows cannot be told apart by that', async () => {
    const records = [100, 100, 75].map((amount) => aRecord({ body: { amount, description: 'x' } }));
    const items = [75, 100, 100].map((amount, index) => ({ id: `t${index}`, amount }));
    expect(statesOf(await bulk({ transactions: items }, records))).toBe('in-doubt in-doubt in-doubt');
  });

  it('is found in an envelope too', async () => {
    const results = [{ id: 'A' }, { success: false }, { id: 'C' }];
    expect(statesOf(await bulk({ data: { results } }))).toBe('created rejected created');
    expect(statesOf(await bulk({ success: true, response: { data: results } }))).toBe('created rejected created');
  });

  it('is held against what is said of all together', async () => {
    const ids = [{ id: 'A' }, { id: 'B' }, { id: 'C' }];
    const one = [{ success: true, id: 'A' }, { success: false }, { id: 'C' }];
    for (const [body, states] of [
      [{ success: false, transactions: ids }, 'in-doubt in-doubt in-doubt'],
      [{ failed: 1, transactions: ids }, 'in-doubt in-doubt in-doubt'],
      [{ count: 2, transactions: ids }, 'in-doubt in-doubt in-doubt'],
      [{ errors: ['x'], transactions: ids }, 'in-doubt in-doubt in-doubt'],
      [{ partialFailureError: { code: 3 }, transactions: [{}, {}, {}] }, 'in-doubt in-doubt in-doubt'],
      [{ success: true, count: 3, failed: 0, errors: [], transactions: ids }, 'created created created'],
      [{ success: false, transactions: one }, 'created rejected in-doubt'],
      [{ success: true, created: 2, failed: 1, transactions: one }, 'created rejected created'],
      [{ success: true, failed: 2, transactions: one }, 'in-doubt rejected in-doubt'],
      [{ errors: [{ row: 1 }, { row: 1 }], transactions: one }, 'created rejected created'],
      [
        { errors: ['amount', 'date'].map((field) => ({ path: `transactions[1].${field}` })), transactions: one },
        'created rejected created',
      ],
      [{ message: '1 of 3 transactions failed', transactions: one }, 'created rejected created'],
      [{ message: '2 of 3 transactions failed', transactions: one }, 'in-doubt rejected in-doubt'],
    ] as const) {
      expect(statesOf(await bulk(body)), JSON.stringify(body)).toBe(states);
    }
  });
});

/** Beside other tests, five times saw hardly one that nothing disturbed. */
const timesMeasured = 15;

describe('what a service or a gateway sends', () => {
  /** The least of several times in turn, which is what nothing disturbed. */
  const leastCpuOf = async <Key extends string>(work: Record<Key, () => Promise<unknown>>) => {
    const least = {} as Record<Key, number>;
    for (let time = 0; time < timesMeasured; time += 1) {
      for (const key in work) {
        const before = process.cpuUsage();
        await work[key]();
        // Both: of a short time, the system may count all as its own.
        const { user, system } = process.cpuUsage(before);
        least[key] = Math.min(least[key] ?? Number.POSITIVE_INFINITY, user + system);
      }
    }
    return least;
  };

  it('may be one word of megabytes: no more than its beginning is read', async () => {
    const word = 'aB'.repeat(1_000_000);
    const { read, unread } = await leastCpuOf({
      read: () => outcomeOf({ body: { success: word, status: word } }),
      unread: () => outcomeOf({ body: { subject: word, remark: word } }),
    });
    expect(read / unread).toBeLessThan(4);
  });

  it('may begin with any number of comments: each is gone through once', async () => {
    for (const body of ['<!---->'.repeat(20_000), `${'<!-- x --> '.repeat(20_000)}<p>`, `${' '.repeat(60_000)}null`]) {
      expect(await outcomeOf({ status: 200, headers: { 'content-type': 'text/plain' }, body })).toMatchObject({
        state: 'in-doubt',
      });
    }
  });

  it('to refuse many rows together is told of each for what it costs to tell of a few, times their number', async () => {
    const [few, many] = [100, 800];
    const refused = (count: number) => async () => {
      const records = Array.from({ length: count }, (_, row) =>
        aRecord({
          secrets: () => ['deal', 'note', 'memo', 'type'].map((label) => ({ value: `${label} of ${row}`, label })),
        }),
      );
      answer = { status: 422, body: { message: 'The period is closed.' } };
      const client = aClient(service.url);
      await sendAll(client, records);
      await client.close();
    };
    const cost = await leastCpuOf({ few: refused(few), many: refused(many) });
    expect(cost.many / cost.few).toBeLessThan((3 * many) / few);
  });
});

describe('a list of more or fewer than the rows', () => {
  it('is told with a short beginning of its name, and never with half of what must not be shown', async () => {
    const [outcome] = await bulk({ 'records of the owner with number 219-09-9432': [{ id: 't1' }] });
    expect(messageOf(outcome)).toContain('but the list "records of the owner with number [SSN]" in it tells of 1, ');
    const [longer] = await bulk({ 'records of the owner with the number 219-09-9432': [{ id: 't1' }] });
    expect(messageOf(longer)).not.toContain('219');
  });
});

describe('a no to all rows beside their list', () => {
  it('that repeats a value of any row is masked in each', async () => {
    const records = ['1983-11-27', '1990-02-03'].map((date) =>
      aRecord({ body: { date }, secrets: () => [{ value: date, label: 'Date of birth' }] }),
    );
    for (const body of [
      { status: 'failed for 1990-02-03', transactions: [{ id: 't0' }, { id: 't1' }] },
      { accepted: 1, message: '1 of 2 added, not 11/27/1983', failed: [{ index: 0, id: 't0' }] },
    ]) {
      const outcomes = await bulk(body, records);
      expect(statesOf(outcomes)).toContain('in-doubt');
      expect(JSON.stringify(outcomes)).toContain('[Date of birth]');
      expect(JSON.stringify(outcomes)).not.toMatch(/19[89]/);
    }
  });
});

describe('an id that comes a second time in a run', () => {
  it('leaves a doubt about the second row, whether it is another request or another kind of answer', async () => {
    answer = { status: 201, body: { success: true, id: 'deal_1' } };
    const client = aClient(service.url);
    expect(await send(client, recordKind('deals'), aRecord())).toMatchObject({ state: 'created' });
    const second = await send(client, recordKind('deals'), aRecord());
    expect(second).toMatchObject({ state: 'in-doubt' });
    expect(messageOf(second)).toContain('The service gave the id deal_1 to this row and to another one of this run');
    expect(await send(client, recordKind('leads'), aRecord())).toMatchObject({ state: 'in-doubt' });
    await client.close();
  });

  it('leaves a doubt about a row of a run that goes on', async () => {
    answer = { status: 201, body: { success: true, id: 'deal_1' } };
    const client = aClient(service.url);
    client.noteGivenId('deals', 'deal_1');
    expect(await send(client, recordKind('deals'), aRecord())).toMatchObject({ state: 'in-doubt' });
    await client.close();
  });

  it('is that of the parent where the row sent it, the first time already: the row has none of its own', async () => {
    answer = { status: 201, body: { success: true, id: 'deal_1' } };
    const client = aClient(service.url);
    const note = aRecord({ body: { dealId: 'deal_1', note: 'x' } });
    for (const _ of [1, 2]) {
      expect(await send(client, recordKind('notes'), note)).toMatchObject({ state: 'accepted', id: null });
    }
    await client.close();
  });

  it('is none of the thousands that differ', async () => {
    const client = aClient(service.url);
    for (let number = 1; number <= 20_000; number += 1) client.noteGivenId('deals', `deal_${number}`);
    answer = { status: 201, body: { id: 'deal_20001' } };
    expect(await send(client, recordKind('deals'), aRecord())).toMatchObject({ state: 'created' });
    answer = { status: 201, body: { id: 'deal_777' } };
    expect(await send(client, recordKind('deals'), aRecord())).toMatchObject({ state: 'in-doubt' });
    await client.close();
  });

  it('says nothing about updates: one company may be updated any number of times', async () => {
    answer = { status: 200, body: { success: true, id: 'cmp_1' } };
    const client = aClient(service.url);
    for (const _ of [1, 2]) {
      expect(await send(client, recordKind('company-updates'), aRecord({ pathId: 'cmp_1' }))).toMatchObject({
        state: 'updated',
      });
    }
    await client.close();
  });
});

describe('an answer that leaves open whether the record is in', () => {
  it.each<[string, ScriptedAnswer, string]>([
    ['without an id', { body: { success: true } }, 'The service answered 201 without the id of a record. '],
    ['with a text', { body: 'Thank you' }, 'The service answered 201 with a text in place of a record. '],
    ['of yes and no', { body: { id: 'a', success: false } }, 'The service answered 201, but that is no plain yes: '],
  ])('%s is told in whole words', async (_what, given, told) => {
    const outcome = await outcomeOf(given);
    expect(outcome.state).toBe('in-doubt');
    expect(messageOf(outcome)).toContain(told);
  });

  it('is told with short beginnings of its texts, and never with half of what must not be shown', async () => {
    const status = 'failed for the owner with the number 219-09-9432 and nobody else';
    const outcome = await outcomeOf({ body: { id: 'a', success: true, status } });
    expect(messageOf(outcome)).toMatch(
      /"status" is "failed for the owner with the number \[\S*…", although it gives the id a\./,
    );
    expect(messageOf(outcome)).not.toMatch(/219/);
  });
});

describe('an answer that is no yes, and gives an id', () => {
  it('is told with the id, by which a person finds the record', async () => {
    const body = { message: 'A deal of this name exists.', id: 'deal_77' };
    const refused = await outcomeOf({ status: 409, body });
    expect(refused).toMatchObject({
      state: 'rejected',
      message:
        'A deal of this name exists. It gives the id "deal_77": if that is the record of this row, take the row out.',
    });
    for (const [status, said] of [
      [500, body],
      [409, { ...body, success: true }],
    ] as const) {
      const open = await outcomeOf({ status, body: said });
      expect(open).toMatchObject({
        state: 'in-doubt',
        message: expect.stringMatching(/ It gives the id "deal_77"\.$/),
      });
    }
  });

  it('leaves a row in doubt by a yes alone, where the answers to its kind have no id', async () => {
    for (const kind of ['notes', 'attachments', 'leads'] as const) {
      const open = await outcomeOf({ status: 409, body: { success: true } }, kind);
      expect(open, kind).toMatchObject({ state: 'in-doubt', httpStatus: 409 });
    }
    expect(await outcomeOf({ status: 409, body: { success: true } }, 'deals')).toMatchObject({ state: 'rejected' });
  });

  it('is told without it where the row sent it itself, or where there is none', async () => {
    const record = aRecord({ body: { dealId: 'deal_77' }, secrets: () => [{ value: 'deal_77', label: 'Deal id' }] });
    const repeated = await outcomeOf(
      { status: 404, body: { message: 'No such deal.', id: 'deal_77' } },
      'notes',
      record,
    );
    expect(repeated).toMatchObject({ state: 'rejected', message: 'No such deal.' });
    const plain = await outcomeOf({ status: 409, body: { message: 'No such deal.', id: 0 } });
    expect(plain).toMatchObject({ state: 'rejected', message: 'No such deal.' });
  });

  it('is one of the same refusals all the same, whichever id each gives', async () => {
    const client = aClient(service.url, { contract: assumed });
    for (let number = 1; number <= 50; number += 1) {
      answer = { status: 409, body: { message: 'Exists.', id: `deal_${number}` } };
      await send(client, recordKind('deals'), aRecord());
    }
    expect(client.stopReason?.kind).toBe('same-rejection');
    await client.close();
  });
});
