/** What the scripts beside it write into a ledger. */

export const aRun = {
  service: 'https://api.example.com/v1',
  serviceUrl: 'https://api.example.com',
  sourcePath: '/home/kim/deals.csv',
  sourceName: 'deals.csv',
  origin: 'month.csv',
  sourceDigest: 'ab',
  resultsPath: '/home/kim/deals.results.xlsx',
  options: '{}',
  person: 'kim',
};

/** Enters rows, and gives their intents. */
export async function registered(ledger, run, rows, { sheet = 'Deals', kind = 'deals' } = {}) {
  const contents = rows.map((row) => ledger.digest(`${sheet}!${row}`));
  const ids = await run.register(
    rows.map((row, at) => ({ sheet, row, kind, id: null, digests: [contents[at]], note: null })),
  );
  return rows.map((row, at) => ({ id: ids[at], sheet, row, content: contents[at], equals: 0 }));
}

export const anOutcome = {
  state: 'created',
  attempts: 1,
  record: 'x',
  company: null,
  url: null,
  message: null,
};
