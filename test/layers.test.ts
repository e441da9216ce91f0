import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './builders/workplace.ts';

const source = join(root, 'src');

/** What every room may use. */
const ofAll: readonly string[] = ['errors.ts', 'once.ts'];

/** Which rooms each room may look into. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  disk: ['messages'],
  contract: [],
  messages: [],
  tables: ['disk', 'messages'],
  mapping: ['contract', 'messages', 'tables'],
  checks: ['contract', 'messages', 'tables', 'mapping'],
  service: ['contract', 'messages'],
  ledger: ['contract', 'disk', 'messages'],
  workbooks: ['contract', 'messages', 'tables'],
  sandbox: ['contract', 'disk', 'messages'],
  staging: ['contract', 'disk', 'messages', 'tables', 'mapping', 'checks', 'ledger', 'workbooks'],
  plan: ['contract', 'disk', 'messages', 'tables', 'mapping', 'checks', 'ledger', 'staging', 'workbooks'],
  report: ['contract', 'disk', 'messages', 'tables', 'mapping', 'ledger', 'staging', 'plan', 'workbooks'],
  load: [
    ...['contract', 'disk', 'messages', 'tables', 'mapping', 'service', 'ledger', 'staging', 'plan', 'report'],
    'workbooks',
  ],
  export: ['contract', 'disk', 'messages', 'tables', 'mapping', 'checks', 'service', 'staging', 'plan', 'workbooks'],
  settings: ['contract', 'disk', 'messages', 'tables', 'service', 'ledger', 'plan', 'report', 'load', 'sandbox'],
  cli: [
    ...['contract', 'disk', 'messages', 'tables', 'mapping', 'service', 'ledger', 'staging', 'plan', 'report', 'load'],
    ...['export', 'workbooks', 'sandbox', 'settings', 'page'],
  ],
  page: [
    ...['contract', 'disk', 'messages', 'tables', 'mapping', 'service', 'ledger', 'staging', 'plan', 'report', 'load'],
    ...['export', 'settings'],
  ],
};

/**
 * Parts that stand on files beside them, such as the cells that every reader gives: by way of these, too, each looks into those
 * before it alone.
 */
const partsOnFilesInOrder: Readonly<Record<string, readonly string[]>> = {
  contract: ['kinds'],
  mapping: ['values', 'mapping-file'],
  service: ['wire'],
  sandbox: ['api', 'pages'],
  staging: ['source'],
  ledger: ['postgres'],
  page: ['client'],
};
/** Of these, each looks into no other. */
const partsOnFilesApart = { tables: ['csv', 'xlsx'] };
const partsOnFiles = [
  ...placesIn(partsOnFilesInOrder),
  ...placesIn(partsOnFilesApart).map((place) => ({ ...place, before: [] })),
];

interface Place {
  readonly room: string;
  readonly part: string;
  /** The parts that it may look into. */
  readonly before: readonly string[];
}

function placesIn(rooms: Readonly<Record<string, readonly string[]>>): readonly Place[] {
  return Object.entries(rooms).flatMap(([room, inOrder]) =>
    inOrder.map((part, index) => ({ room, part, before: inOrder.slice(0, index) })),
  );
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));

function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(source, file), 'utf8');
  const found = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) => match[1] ?? '');
  return found.map((path) => relative(source, resolve(source, dirname(file), path)));
}

/** The files of a part, and those beside it that they stand on, one by way of another. */
function standingOn({ room, part }: Place): ReadonlySet<string> {
  const found = new Set(files.filter((file) => dirname(file) === `${room}/${part}`));
  for (const file of found) {
    for (const path of importsOf(file)) if (dirname(path) === room) found.add(path);
  }
  return found;
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

  it.each(partsOnFiles)('have parts that stand on nothing above them: $room/$part', (place) => {
    const { room, part, before } = place;
    const own = `${room}/${part}`;
    const allowed = [room, ...before.map((name) => `${room}/${name}`)];
    const strays = [...standingOn(place)].flatMap((file) =>
      importsOf(file)
        .filter((path) => path.startsWith(`${room}/`) && !allowed.includes(dirname(path)))
        .filter((path) => dirname(path) !== own || dirname(file) !== own)
        .map((path) => `${file} -> ${path}`),
    );
    expect(standingOn(place).size).toBeGreaterThan(0);
    expect(strays).toEqual([]);
  });

  it('have no part without an order, but for the commands, of which each stands for itself', () => {
    const named = partsOnFiles.map(({ room, part }) => `${room}/${part}`);
    const folders = new Set(files.map((file) => dirname(file)).filter((folder) => folder.includes('/')));
    expect([...folders].sort()).toEqual([...named, 'cli/commands'].sort());
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
