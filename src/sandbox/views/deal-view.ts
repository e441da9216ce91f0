/** A deal as Get a deal answers it (service interface 4.3), with what was added to it. */
import { recordKind } from '../../contract/record-kinds.ts';
import { idOf, pagePathOf, type StoredKind } from '../record-ids.ts';
import type { StoredRecord } from '../store/rows.ts';
import type { Tables } from '../store/tables.ts';
import type { Surroundings } from '../surroundings.ts';
import { isoTime } from '../time.ts';
import { fundedDealOf } from './loan-balances.ts';

const { body: dealBody } = recordKind('deals');

/** "Default `Lead`" (2.1, 3). */
export const defaultStage = 'Lead';

/** More children than this are left out of an answer; their pages show them all. */
const mostChildren = 1000;

/** The deal as it was sent, without what the sandbox does not know, and with the id of its company. */
export function sentDeal(body: string, company: number): Record<string, unknown> {
  const sent: unknown = JSON.parse(body);
  const known = dealBody.safeParse(sent);
  const deal = (known.success ? known.data : sent) as Record<string, unknown> & { company: object };
  return { stage: defaultStage, ...deal, company: { ...deal.company, id: idOf('company', company) } };
}

export function dealView(tables: Tables, number: number, { publicUrl }: Surroundings) {
  const record = tables.deal(number);
  if (record === undefined) throw new Error(`There is no deal ${number}.`);
  const children = (kind: StoredKind, records: readonly StoredRecord[]) =>
    records.map((child) => ({ id: idOf(kind, child.number), createdAt: isoTime(child.at), ...withoutDeal(child) }));
  const fundedDeal = fundedDealOf(tables, number);
  return {
    id: idOf('deal', number),
    url: `${publicUrl}${pagePathOf('deal', number)}`,
    createdAt: isoTime(record.at),
    ...sentDeal(record.body, record.company),
    notes: children('note', tables.notesOfDeal(number, mostChildren)),
    attachments: children('attachment', tables.attachmentsOfDeal(number, mostChildren)),
    submissions: children('submission', tables.submissionsOfDeal(number, mostChildren)),
    ...(fundedDeal === undefined ? {} : { fundedDeal }),
  };
}

function withoutDeal(record: StoredRecord): Record<string, unknown> {
  const { dealId: _dealId, ...rest } = JSON.parse(record.body) as Record<string, unknown>;
  return rest;
}
