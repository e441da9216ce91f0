/** Bodies that the service takes, to be changed where a test looks. */

export function aDeal(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    amountRequested: 50_000,
    company: { name: 'Harbor Bakery LLC', dba: 'Harbor Bakery' },
    owner1: { firstName: 'Ada', lastName: 'Moreno', ssn: '219-09-9999', dob: '1980-04-17' },
    ...changes,
  };
}

export function aCompany(changes: Readonly<Record<string, unknown>> = {}) {
  return { name: 'Harbor Bakery LLC', contactTypes: ['Merchant'], ...changes };
}

export function aFunder(changes: Readonly<Record<string, unknown>> = {}) {
  return aCompany({
    name: 'North Funding',
    contactTypes: ['Funder'],
    submissionEmail: 'deals@north.example',
    defaultReceivableCommission: 10,
    ...changes,
  });
}

export function aNote(dealId: string, changes: Readonly<Record<string, unknown>> = {}) {
  return { dealId, status: 'In review', note: 'Bank statements received', ...changes };
}
