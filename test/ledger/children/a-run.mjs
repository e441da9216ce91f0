/** What the scripts beside it write into a ledger. */

export const aRun = {
  service: 's',
  serviceUrl: 's',
  sourcePath: 's',
  sourceName: 's',
  sourceDigest: 's',
  resultsPath: 's',
  options: '{}',
};

/** @param row  the row's number, by which it is told from others */
export function anIntent(ledger, row) {
  const fingerprint = ledger.fingerprint(`row ${row}`);
  return { sheet: 'Deals', row, kind: 'deals', fingerprint, ref: null, repeats: null, supersedes: null };
}
