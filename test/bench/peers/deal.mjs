/**
 * The record of a deal, as a person would make it from a row of the sample.
 * @param cell  gives the text under a header
 */
export function dealOf(cell) {
  return {
    amountRequested: Number(cell('Amount requested')),
    stage: cell('Stage'),
    company: {
      name: cell('Company name'),
      dba: cell('Company DBA'),
      address: addressOf(cell, 'Company'),
      phones: [{ number: cell('Company phone') }],
      emails: [{ email: cell('Company e-mail') }],
      industry: cell('Company industry'),
      website: cell('Company website'),
      startDate: cell('Company start date'),
      ein: cell('Company EIN'),
      stateIncorporated: cell('Company state incorporated'),
    },
    owner1: {
      firstName: cell('Owner 1 first name'),
      lastName: cell('Owner 1 last name'),
      ssn: cell('Owner 1 SSN'),
      dateOfBirth: cell('Owner 1 date of birth'),
      phone: cell('Owner 1 phone'),
      email: cell('Owner 1 e-mail'),
      address: addressOf(cell, 'Owner 1'),
      ownership: Number(cell('Owner 1 ownership')),
      creditScore: Number(cell('Owner 1 credit score')),
    },
    entityType: cell('Entity type'),
    useOfProceeds: cell('Use of proceeds'),
    financial: {
      averageMonthlyGross: Number(cell('Average monthly gross')),
      grossAnnual: Number(cell('Gross annual')),
    },
    bank: { deposits: Number(cell('Bank deposits')) },
    tags: cell('Tags')
      .split(';')
      .map((tag) => tag.trim()),
  };
}

function addressOf(cell, whose) {
  return {
    line1: cell(`${whose} address line 1`),
    city: cell(`${whose} address city`),
    state: cell(`${whose} address state`),
    zip: cell(`${whose} address ZIP`),
  };
}
