/** The thirteen endpoints of the interface, each by its name. */
import type { EndpointName } from '../../contract/endpoints.ts';
import { addAttachment } from './attachments.ts';
import { addCompany, getCompany, updateCompany } from './companies.ts';
import { addDeal, getDeal } from './deals.ts';
import type { SandboxEndpoint } from './endpoint.ts';
import { health } from './health.ts';
import { addLead } from './leads.ts';
import { addSubmissionLoan, getLoanBalances } from './loans.ts';
import { addNote } from './notes.ts';
import { addSubmission } from './submissions.ts';
import { addTransactions } from './transactions.ts';

export const sandboxEndpoints: Readonly<Record<EndpointName, SandboxEndpoint>> = {
  addLead,
  addDeal,
  getDeal,
  addNote,
  addAttachment,
  addCompany,
  getCompany,
  updateCompany,
  addSubmission,
  addSubmissionLoan,
  addTransactions,
  getLoanBalances,
  health,
};
