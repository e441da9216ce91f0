/** Contenders measured in turn, and the place in docs/performance.md where their table stands. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { type Command, type Cost, measured, medianCost } from './measured-command.ts';

export const root = resolve(import.meta.dirname, '../..');
export const peers = join(import.meta.dirname, 'peers');

export interface Contender {
  readonly name: string;
  readonly rows: number;
  readonly rounds: number;
  /** The command of one round: each round may need files of its own. */
  readonly command: () => Command;
}

export interface Result<Kind extends Contender> {
  readonly contender: Kind;
  readonly cost: Cost;
}

/** One round after the other, each contender once in each: what slows the machine for a while slows all of them. */
export async function race<Kind extends Contender>(contenders: readonly Kind[]): Promise<readonly Result<Kind>[]> {
  const costs = new Map<Kind, Cost[]>(contenders.map((contender) => [contender, []]));
  for (let round = 0; round < Math.max(...contenders.map(({ rounds }) => rounds)); round += 1) {
    for (const contender of contenders) {
      if (round < contender.rounds) costs.get(contender)?.push(await measured(contender.command()));
    }
  }
  return [...costs].map(([contender, all]) => ({ contender, cost: medianCost(all) }));
}

export function machine(): string {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `Node ${process.versions.node} on ${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${gigabytes} GB`;
}

/** Puts a table between the marks of its name, such as `<!-- bench -->`. */
export function writeToDocs(name: string, table: string): void {
  const path = join(root, 'docs', 'performance.md');
  const marks = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
  const text = readFileSync(path, 'utf8');
  if (!marks.test(text)) throw new Error(`docs/performance.md has no place for the table ${name}.`);
  writeFileSync(
    path,
    text.replace(marks, (_all, before: string, after: string) => `${before}${table}\n${after}`),
  );
}
