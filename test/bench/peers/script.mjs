/** The script that a person would write for this: the whole file read, a limit on requests, fetch, and a workbook at the end. */
import { readFileSync } from 'node:fs';
import ExcelJS from 'exceljs';
import pLimit from 'p-limit';
import Papa from 'papaparse';
import { dealOf } from './deal.mjs';

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
      body: JSON.stringify(dealOf((header) => row[header])),
    });
    const body = await response.json();
    if (!response.ok) return { status: 'Failed', error: JSON.stringify(body) };
    return { status: 'Created', id: body.id, url: body.url };
  } catch (error) {
    return { status: 'Failed', error: error.message };
  }
}
