/** Add a deal note (service interface 2.5, 4.4). */
import { recordKind } from '../../contract/record-kinds.ts';
import { idOf } from '../record-ids.ts';
import type { Surroundings } from '../surroundings.ts';
import { checked, invalidFields, longestValue } from '../validation.ts';
import { createdAnswer, type JsonEndpoint } from './endpoint.ts';
import { recordNamed } from './known-records.ts';

const { body: noteBody } = recordKind('notes');

export const addNote: JsonEndpoint = {
  takes: 'json',
  prepare({ body, text }, surroundings) {
    const note = checked(noteBody, body) as { dealId: string; status: string; note: string };
    refuseUnknownStatus(note.status, surroundings);
    return {
      content: text,
      run(tables, at) {
        const deal = recordNamed(tables, 'deal', 'dealId', note.dealId);
        const number = tables.add('note', at, [note.status, note.note], { deal });
        tables.log('addNote', idOf('note', number), at, text);
        return createdAnswer('note', number, surroundings);
      },
    };
  },
};

/** "Must match a valid deal status" (2.5); which those are is not shown (3), so it is checked only when a list was given. */
function refuseUnknownStatus(status: string, { dealStatuses }: Surroundings): void {
  if (dealStatuses.length === 0 || dealStatuses.includes(status)) return;
  const message = `status must be one of: ${dealStatuses.join(', ')}.`;
  throw invalidFields([{ path: 'status', rule: 'allowed-values', message, value: status.slice(0, longestValue) }]);
}
