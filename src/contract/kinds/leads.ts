/** Leads: POST /v1/lead. The shape is not shown (service interface 4.1); a deal without its stage is assumed. */
import * as z from 'zod';
import { openObject, ref } from '../field-facts.ts';
import { type RecordKind, sendings } from '../record-kind.ts';
import { dealFields } from './deal-fields.ts';

export const leads: RecordKind = {
  name: 'leads',
  sheet: 'Leads',
  singular: 'lead',
  sheetAliases: ['Lead'],
  about:
    'Adds a lead. The service does not show the fields of a lead: those of a deal are assumed, and none is required.',
  endpoint: 'addLead',
  sending: sendings.each,
  answersWithId: false,
  body: openObject(dealFields),
  row: z.object({ ref: ref('L-1') }),
  references: [],
  amount: 'amountRequested',
  identifiedBy: [['company.ein'], ['company.name'], ['owner1.firstName', 'owner1.lastName']],
  uniqueBy: null,
};
