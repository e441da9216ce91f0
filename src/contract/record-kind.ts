/** The facts of a record kind. Each kind is one file in kinds/, and all have this shape. */
import type * as z from 'zod';

/** The thirteen endpoints of the service (service interface 4), by their names in the code. */
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

/** In loading order: parents before children. */
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

export const refScopes = ['service', 'file'] as const;
/** Whether Refs name records of the service, or link the rows of one file only. */
export type RefScope = (typeof refScopes)[number];

/** A column that names a record by the person's own key, because only the service knows its id. */
export interface Reference {
  readonly column: string;
  readonly to: RecordKindName;
  readonly fills: string;
}

/** `each`: one JSON body per row. `update`: the same, with filled cells only. `form`: multipart. `batch`: many rows per body. */
export const sendings = {
  each: { by: 'each', isUpdate: false, hasFile: false, isBatch: false },
  update: { by: 'update', isUpdate: true, hasFile: false, isBatch: false },
  form: { by: 'form', isUpdate: false, hasFile: true, isBatch: false },
  batch: { by: 'batch', isUpdate: false, hasFile: false, isBatch: true },
} as const;

/** Groups of body paths, most specific first. Two rows may be the same when they agree in the first group that both fill. */
export type IdentifyingValues = readonly (readonly string[])[];

/**
 * A group of body paths, and what it proves that another record has the same values there. `numbered`: it is the same, while only one
 * record has them. `unique`: no two records can have them. `likes`: it may be the same, and a person is warned.
 */
interface SharedValues {
  readonly proves: 'numbered' | 'unique' | 'likes';
  readonly paths: readonly string[];
  /** Counts only beside the same parent. Without it, the values are too weak. */
  readonly besideParent?: true;
}

export interface RecordKind {
  readonly name: RecordKindName;
  readonly sheet: string;
  /** One of them within a sentence: `company update`. */
  readonly singular: string;
  readonly sheetAliases: readonly string[];
  readonly about: string;
  readonly endpoint: EndpointName;
  readonly sending: (typeof sendings)[keyof typeof sendings];
  /** The endpoint that reads a record. Without one, records of the kind cannot be looked up. */
  readonly readBy?: EndpointName;
  readonly updatedBy?: RecordKindName;
  /** Whether the interface documents an id in the answer (2.6). If so, a 2xx without an id is in doubt. */
  readonly answersWithId: boolean;
  readonly body: z.ZodObject;
  readonly row: z.ZodObject;
  readonly references: readonly Reference[];
  /** The body paths of its names, if by our assumption a row needs one of them, or a column of the service's own. */
  readonly namedBy?: readonly string[];
  /** The body path that control totals add up, or `null`. */
  readonly amount: string | null;
  /** What identifies a row without a Ref beside its parents, even after other cells are corrected. Each chain counts alone. */
  readonly identifiedBy: readonly IdentifyingValues[];
  readonly sharedBy: readonly SharedValues[];
  /** Two records with the same content can both be meant, even from two files. */
  readonly isRepeatable?: true;
}

export function recordKindOf(
  own: Pick<RecordKind, 'name' | 'sheet' | 'singular' | 'sheetAliases' | 'about' | 'endpoint' | 'body' | 'row'> &
    Partial<RecordKind>,
): RecordKind {
  const none = { identifiedBy: [], sharedBy: [], references: [], amount: null };
  return { sending: sendings.each, answersWithId: false, ...none, ...own };
}

/** Whether other rows name a record of the kind by its Ref. */
export function hasRefs({ row }: RecordKind): boolean {
  return 'ref' in row.shape;
}

export function oneOf({ singular }: RecordKind): string {
  return `${/^[aeiou]/.test(singular) ? 'an' : 'a'} ${singular}`;
}
