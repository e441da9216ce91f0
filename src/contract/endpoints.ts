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
