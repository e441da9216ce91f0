/**
 * `npm run bench`: what the parts of a load cost, then dealsheet beside what people would use instead, in turn and several times.
 * Prints in Markdown; with `--write` the tables take the place of those in docs/performance.md.
 */
import { endToEnd } from './end-to-end.ts';
import { canMeasure } from './measured-command.ts';
import { costOfParts } from './parts.ts';
import { writeToDocs } from './race.ts';
import { tables } from './tables.ts';

if (!canMeasure()) throw new Error('GNU time is wanted at /usr/bin/time (on Debian: apt-get install time).');
process.stdout.write(`${await costOfParts()}\n\n`);
for (const [name, run] of [
  ['bench', endToEnd],
  ['bench-tables', tables],
] as const) {
  const table = await run();
  process.stdout.write(`${table}\n\n`);
  if (process.argv.includes('--write')) writeToDocs(name, table);
}
