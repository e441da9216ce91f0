/** All record kinds, in loading order. */
import { attachments } from './kinds/attachments.ts';
import { companies } from './kinds/companies.ts';
import { companyUpdates } from './kinds/company-updates.ts';
import { deals } from './kinds/deals.ts';
import { leads } from './kinds/leads.ts';
import { notes } from './kinds/notes.ts';
import { submissionLoans } from './kinds/submission-loans.ts';
import { submissions } from './kinds/submissions.ts';
import { transactions } from './kinds/transactions.ts';
import { type RecordKind, type RecordKindName, recordKindNames } from './record-kind.ts';

const kindByName: Readonly<Record<RecordKindName, RecordKind>> = {
  companies,
  'company-updates': companyUpdates,
  leads,
  deals,
  notes,
  attachments,
  submissions,
  'submission-loans': submissionLoans,
  transactions,
};

export const recordKinds: readonly RecordKind[] = recordKindNames.map((name) => kindByName[name]);

export function recordKind(name: RecordKindName): RecordKind {
  return kindByName[name];
}
