/**
 * `npm run bench`: what the parts of a load cost, then dealsheet beside what people would use instead, in turn and several times,
 * then the page, and ledgers that remember much. Prints in Markdown; with `--write` the tables take the place of those in docs/performance.md, and with the name of
 * a table it is the only one.
 */
import { endToEnd } from './end-to-end.ts';
import { canMeasure } from './measured-command.ts';
import { page } from './page.ts';
import { costOfParts } from './parts.ts';
import { writeToDocs } from './race.ts';
import { scale } from './scale.ts';
import { tables } from './tables.ts';

if (!canMeasure()) throw new Error('GNU time is wanted at /usr/bin/time (on Debian: apt-get install time).');
const all = {
  'bench-parts': costOfParts,
  bench: endToEnd,
  'bench-tables': tables,
  'bench-page': page,
  'bench-scale': scale,
};
const named = process.argv.slice(2).filter((word) => Object.hasOwn(all, word));
for (const [name, run] of Object.entries(all)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const table = await run();
  process.stdout.write(`${table}\n\n`);
  if (process.argv.includes('--write') && name !== 'bench-parts') writeToDocs(name, table);
}
