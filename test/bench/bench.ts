/**
 * `npm run bench`: dealsheet beside what people would use instead, in turn and several times. Prints tables in Markdown; with
 * `--write` they take the place of those in the README.
 */
import { endToEnd } from './end-to-end.ts';
import { canMeasure } from './measured-command.ts';
import { writeToReadme } from './race.ts';
import { tables } from './tables.ts';

if (!canMeasure()) throw new Error('GNU time is wanted at /usr/bin/time (on Debian: apt-get install time).');
for (const [name, run] of [
  ['bench', endToEnd],
  ['bench-tables', tables],
] as const) {
  const table = await run();
  process.stdout.write(`${table}\n\n`);
  if (process.argv.includes('--write')) writeToReadme(name, table);
}
