import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './builders/workplace.ts';

const source = join(root, 'src');

/** What every room may use. */
const ofAll: readonly string[] = ['errors.ts', 'file-modes.ts'];

/** Which rooms each room may look into. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  sheets: [],
  mapping: ['contract', 'sheets'],
  service: ['contract'],
  ledger: ['contract'],
  workbooks: ['contract', 'sheets'],
  sandbox: ['contract'],
  pipeline: ['contract', 'sheets', 'mapping', 'service', 'ledger', 'workbooks'],
  cli: ['contract', 'sheets', 'mapping', 'service', 'ledger', 'workbooks', 'pipeline', 'sandbox'],
};

/** The parts of the larger rooms: each may look into those before it. What stands beside them may look into all. */
const partsInOrder: Readonly<Record<string, readonly string[]>> = {
  pipeline: ['rows', 'source', 'survey', 'options', 'decisions', 'foresight', 'report', 'load'],
  service: ['wire', 'pace', 'records', 'text', 'tokens', 'answers', 'sending', 'verdicts'],
  cli: ['settings', 'terminal', 'flags', 'talk'],
};
const parts = Object.entries(partsInOrder).flatMap(([room, inOrder]) =>
  inOrder.map((part, index) => ({ room, part, before: inOrder.slice(0, index) })),
);

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(source, file), 'utf8');
  const found = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) => match[1] ?? '');
  return found.map((path) => relative(source, resolve(source, dirname(file), path)));
}

describe('the rooms of src', () => {
  it.each(Object.keys(mayImport))('are looked into one way only: %s', (room) => {
    const allowed = new Set([room, ...(mayImport[room] ?? [])]);
    const strays = files
      .filter((file) => file.startsWith(`${room}/`))
      .flatMap((file) => importsOf(file).map((path) => `${file} -> ${path}`))
      .filter((arrow) => {
        const target = arrow.split(' -> ')[1] ?? '';
        return !ofAll.includes(target) && !allowed.has(target.split('/')[0] ?? '');
      });
    expect(strays).toEqual([]);
  });

  it.each(parts)('have parts that are looked into one way only: $room/$part', ({ room, part, before }) => {
    const allowed = [...before, part].map((name) => `${room}/${name}`);
    const ofPart = files.filter((file) => dirname(file) === `${room}/${part}`);
    const strays = ofPart
      .flatMap((file) => importsOf(file).map((path) => ({ file, path })))
      .filter(({ path }) => path.startsWith(`${room}/`) && !allowed.includes(dirname(path)));
    expect(ofPart).not.toEqual([]);
    expect(strays).toEqual([]);
  });

  it('have no circles among their files, nor among their types', () => {
    const states = new Map<string, 'open' | 'done'>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (states.get(file) === 'done') return;
      if (states.get(file) === 'open') {
        circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
        return;
      }
      states.set(file, 'open');
      for (const next of importsOf(file)) visit(next, [...path, file]);
      states.set(file, 'done');
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });

  it('have no barrel but index.ts', () => {
    expect(files.filter((file) => /(^|\/)index\.ts$/.test(file))).toEqual(['index.ts']);
  });
});
