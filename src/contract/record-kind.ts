/** What every record kind says of itself. One file a kind in kinds/, all of this shape. */
import type * as z from 'zod';

/** The thirteen endpoints of the service (service interface 4), by the names that the code uses for them. */
export const endpoints = {
  addLead: { method: 'POST', path: '/v1/lead', purpose: 'Add a lead', section: '4.1' },
  addDeal: { method: 'POST', path: '/v1/deal', purpose: 'Add a deal', section: '4.2' },
  getDeal: { method: 'GET', path: '/v1/deal/{dealId}', purpose: 'Get a deal', section: '4.3' },
  addNote: { method: 'POST', path: '/v1/deal/note', purpose: 'Add a deal note', section: '4.4' },
  addAttachment: { method: 'POST', path: '/v1/deal/attachment', purpose: 'Add a deal attachment', section: '4.5' },
  addCompany: { method: 'POST', path: '/v1/company', purpose: 'Add a company', section: '4.6' },
  getCompany: { method: 'GET', path: '/v1/company/{id}', purpose: 'Get a company', section: '4.7' },
  updateCompany: { method: 'PATCH', path: '/v1/company/{id}', purpose: 'Update a company', section: '4.8' },
  addSubmission: { method: 'POST', path: '/v1/submission', purpose: 'Add a submission', section: '4.9' },
  addSubmissionLoan: { method: 'POST', path: '/v1/submissionLoan', purpose: 'Add a submission loan', section: '4.10' },
  addTransactions: { method: 'POST', path: '/v1/transactions', purpose: 'Add transactions in bulk', section: '4.11' },
  getLoanBalances: { method: 'GET', path: '/v1/loan/balances', purpose: 'Get loan balances', section: '4.12' },
  health: { method: 'GET', path: '/v1/health', purpose: 'Check API health', section: '4.13' },
} as const;

export type EndpointName = keyof typeof endpoints;

/** In the order of loading: parents before children. */
export const recordKindNames = [
  'companies',
  'company-updates',
  'leads',
  'deals',
  'notes',
  'attachments',
  'submissions',
  'submission-loans',
  'transactions',
] as const;

export type RecordKindName = (typeof recordKindNames)[number];

/** A column that names a record by the person's own key in place of an id that only the service knows. */
export interface Reference {
  readonly column: string;
  readonly to: RecordKindName;
  readonly fills: string;
}

/** How rows go out. `each`: one JSON body a row. `update`: the same, with the filled cells alone. `form`: multipart. `batch`: many rows in one body. */
export const sendings = {
  each: { by: 'each', isUpdate: false, hasFile: false, isBatch: false },
  update: { by: 'update', isUpdate: true, hasFile: false, isBatch: false },
  form: { by: 'form', isUpdate: false, hasFile: true, isBatch: false },
  batch: { by: 'batch', isUpdate: false, hasFile: false, isBatch: true },
} as const;

/** Groups of body paths, the most telling first: two rows are perhaps one where they say the same in the first group that both have whole. */
export type IdentifyingValues = readonly (readonly string[])[];

interface LikeValues {
  readonly paths: readonly string[];
  /** What it says beside the parents that it names: without any, it tells nothing. */
  readonly besideParent?: true;
}

export interface RecordKind {
  readonly name: RecordKindName;
  readonly sheet: string;
  /** One of them, in a sentence: `company update`. */
  readonly singular: string;
  readonly sheetAliases: readonly string[];
  readonly about: string;
  readonly endpoint: EndpointName;
  readonly sending: (typeof sendings)[keyof typeof sendings];
  /** By which a record is read; of a kind without one, no record can be looked up. */
  readonly readBy?: EndpointName;
  readonly updatedBy?: RecordKindName;
  /** Whether the interface documents an id in the answer (2.6): without one, a 2xx says less than it should. */
  readonly answersWithId: boolean;
  readonly body: z.ZodObject;
  readonly row: z.ZodObject;
  readonly references: readonly Reference[];
  /** The body path whose sum ties a source to what is in, or `null`. */
  readonly amount: string | null;
  /** What tells which record a row without a Ref is about, beside its parents, also once other cells are corrected: each by itself. */
  readonly identifiedBy: readonly IdentifyingValues[];
  /** The body path of a value that no two records have in common, such as the EIN of a company; `null` for none. */
  readonly uniqueBy: string | null;
  /** Groups of body paths: a record that says the same in one of them as another one is perhaps the same, and a person is told. */
  readonly likeBy: readonly LikeValues[];
  /** Two records that say the same can both be meant, also when they come with two files. */
  readonly isRepeatable?: true;
}

export function recordKindOf(
  own: Pick<RecordKind, 'name' | 'sheet' | 'singular' | 'sheetAliases' | 'about' | 'endpoint' | 'body' | 'row'> &
    Partial<RecordKind>,
): RecordKind {
  const none = { answersWithId: false, references: [], amount: null, identifiedBy: [], uniqueBy: null, likeBy: [] };
  return { sending: sendings.each, ...none, ...own };
}

export function oneOf({ singular }: RecordKind): string {
  return `${/^[aeiou]/.test(singular) ? 'an' : 'a'} ${singular}`;
}
