/** The script that a person would write for this: the whole file read, a limit on requests, fetch, and a workbook at the end. */
import { readFileSync } from 'node:fs';
import ExcelJS from 'exceljs';
import pLimit from 'p-limit';
import Papa from 'papaparse';

const [file, url, output] = process.argv.slice(2);
const inFlight = 32;

const { data: rows } = Papa.parse(readFileSync(file, 'utf8'), { header: true, skipEmptyLines: true });
const limit = pLimit(inFlight);
const results = await Promise.all(rows.map((row) => limit(() => send(row))));

const workbook = new ExcelJS.Workbook();
const sheet = workbook.addWorksheet('Results');
sheet.addRow(['Status', 'ID', 'URL', 'Error', ...Object.keys(rows[0])]);
rows.forEach((row, index) => {
  const { status, id, url: link, error } = results[index];
  sheet.addRow([status, id, link, error, ...Object.values(row)]);
});
await workbook.xlsx.writeFile(output);

async function send(row) {
  try {
    const response = await fetch(`${url}/v1/deal`, {
      method: 'POST',
      headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
      body: JSON.stringify(dealOf(row)),
    });
    const body = await response.json();
    if (!response.ok) return { status: 'Failed', error: JSON.stringify(body) };
    return { status: 'Created', id: body.id, url: body.url };
  } catch (error) {
    return { status: 'Failed', error: error.message };
  }
}

function dealOf(row) {
  return {
    amountRequested: Number(row['Amount requested']),
    stage: row.Stage,
    company: {
      name: row['Company name'],
      dba: row['Company DBA'],
      address: addressOf(row, 'Company'),
      phones: [{ number: row['Company phone'] }],
      emails: [{ email: row['Company e-mail'] }],
      industry: row['Company industry'],
      website: row['Company website'],
      startDate: row['Company start date'],
      ein: row['Company EIN'],
      stateIncorporated: row['Company state incorporated'],
    },
    owner1: {
      firstName: row['Owner 1 first name'],
      lastName: row['Owner 1 last name'],
      ssn: row['Owner 1 SSN'],
      dateOfBirth: row['Owner 1 date of birth'],
      phone: row['Owner 1 phone'],
      email: row['Owner 1 e-mail'],
      address: addressOf(row, 'Owner 1'),
      ownership: Number(row['Owner 1 ownership']),
      creditScore: Number(row['Owner 1 credit score']),
    },
    entityType: row['Entity type'],
    useOfProceeds: row['Use of proceeds'],
    financial: {
      averageMonthlyGross: Number(row['Average monthly gross']),
      grossAnnual: Number(row['Gross annual']),
    },
    bank: { deposits: Number(row['Bank deposits']) },
    tags: row.Tags.split(';').map((tag) => tag.trim()),
  };
}

function addressOf(row, whose) {
  return {
    line1: row[`${whose} address line 1`],
    city: row[`${whose} address city`],
    state: row[`${whose} address state`],
    zip: row[`${whose} address ZIP`],
  };
}
