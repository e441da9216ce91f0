/** README and docs: their links lead somewhere, their examples are taken, their commands are there. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/command-end.ts';
import { commands } from '../../src/cli/command-line.ts';
import { rowStates } from '../../src/contract/row-state.ts';
import { mappingSchema } from '../../src/mapping/mapping-file/mapping.ts';
import { configurationSchema } from '../../src/settings/configuration.ts';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { startRecordingService } from '../builders/recording-service.ts';
import { root } from '../builders/workplace.ts';
import { fieldTables } from './reference.ts';

const mostBytesOfReadme = 12_288;
const fewestCommands = 30;
const names = Object.keys(commands);
const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const pages = ['README.md', 'CONTRIBUTING.md', ...docs.map((name) => `docs/${name}`)];
const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

function codeIn(page: string, name: string): string {
  const text = textOf(page);
  const begin = `<!-- ${name}:begin -->`;
  const marked = text.slice(text.indexOf(begin) + begin.length, text.indexOf(`<!-- ${name}:end -->`));
  return /```\w*\n([\s\S]*?)```/.exec(marked)?.[1] ?? '';
}

/** The names by which a page can be led to the headings of a page. */
function headingsOf(page: string): readonly string[] {
  return [...textOf(page).matchAll(/^#{1,3} (.+)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** What a person can copy: lines of their own, and whatever is named with `npx`. */
function commandsIn(page: string) {
  const lines = [...textOf(page).matchAll(/(?:^ {4,}(?:npx )?|`(?:npx )?)dealsheet ([a-z]+)([^\n`]*)/gm)];
  return lines.map(([line, command = '', rest = '']) => {
    const flags = [...rest.matchAll(/ --([a-z-]+)/g)].map(([, flag = '']) => flag);
    return { line, command, flags };
  });
}

/** The help of a command as docs/cli.md has it. */
function helpOf(command: string): string {
  const sections = textOf('docs/cli.md').split(/^## dealsheet /m);
  return sections.find((section) => section.startsWith(`${command}\n`)) ?? '';
}

function expectCurrent(page: string, text: string): void {
  if (process.env.DEALSHEET_UPDATE === '1') writeFileSync(join(root, page), text);
  expect(textOf(page)).toBe(text);
}

describe('the README', () => {
  it('is short', () => {
    expect(Buffer.byteLength(textOf('README.md'))).toBeLessThanOrEqual(mostBytesOfReadme);
  });

  it('names every status and every exit code', () => {
    for (const { status } of Object.values(rowStates)) expect(textOf('README.md')).toContain(status);
    for (const code of Object.values(exitCodes))
      expect(textOf('README.md')).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'));
  });

  it('leads to every page of the docs', () => {
    for (const name of docs) expect(textOf('README.md')).toContain(`](docs/${name})`);
  });
});

describe.each(pages)('%s', (page) => {
  it('leads to headings and files that there are', () => {
    for (const [, target = ''] of textOf(page).matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [file = '', heading] = target.split('#');
      const path = file === '' ? page : join(dirname(page), file);
      expect(existsSync(join(root, path)), target).toBe(true);
      if (heading !== undefined) expect(headingsOf(path), target).toContain(heading);
    }
  });

  it('shows no mark in angle brackets as text, which a page would swallow', () => {
    const prose = textOf(page).replaceAll(/^ {4}.*$|```[\s\S]*?```|`[^`]*`|<!--[\s\S]*?-->/gm, '');
    expect(prose).not.toMatch(/<\w+>/);
  });

  it('names only commands and flags that there are', () => {
    for (const { line, command, flags } of commandsIn(page)) {
      expect(names, line).toContain(command);
      for (const flag of flags) expect(helpOf(command), line).toContain(`--${flag} `);
    }
  });
});

it('find enough to look at in the pages', () => {
  const found = pages.flatMap(commandsIn);
  expect(found.length).toBeGreaterThan(fewestCommands);
  expect(found.flatMap(({ flags }) => flags).length).toBeGreaterThan(fewestCommands);
});

describe('the docs', () => {
  const place = workplaceForEachTest();

  it('have the field tables that the schemas make', () => {
    const [before = ''] = textOf('docs/fields.md').split('<!-- fields:begin -->');
    expectCurrent('docs/fields.md', `${before}<!-- fields:begin -->\n${fieldTables()}\n<!-- fields:end -->\n`);
  });

  it('have the help of every command', async () => {
    const helped: string[] = [];
    for (const name of names) {
      const { stdout } = await place.run([name, '--help']);
      helped.push(`## dealsheet ${name}\n\n\`\`\`\n${stdout.trim()}\n\`\`\`\n`);
    }
    expectCurrent(
      'docs/cli.md',
      `# Every command and flag\n\nAs \`dealsheet COMMAND --help\` says it.\n\n${helped.join('\n')}`,
    );
  });

  it('show a profile that is taken', () => {
    expect(configurationSchema.safeParse(JSON.parse(codeIn('docs/service.md', 'profile'))).error).toBeUndefined();
  });

  it('show a mapping that is taken', () => {
    expect(mappingSchema.safeParse(JSON.parse(codeIn('docs/mapping.md', 'mapping'))).error).toBeUndefined();
  });

  it('show a script that runs, and whose rows the command line knows', async () => {
    const service = await startRecordingService();
    try {
      const url = `${service.url}/lending/`;
      const library = join(root, 'dist', 'index.js');
      const script = codeIn('docs/library.md', 'library').replace("'dealsheet'", JSON.stringify(library));
      place.write('script.mjs', script);
      place.write('deals.csv', 'Amount requested,Company name,Owner last name\n100,Harbor Bakery,Moreno\n');
      const ended = await execa(process.execPath, ['script.mjs'], {
        cwd: place.folder,
        env: { SERVICE_URL: url, SERVICE_TOKEN: 'token', TMPDIR: place.folder },
      });
      expect(ended.stdout).toContain('created: 1');
      const again = ['import', 'deals.csv', '--url', url, '--ledger', 'ledger.db', '--yes', '--json'];
      const { stdout } = await place.run(again, { env: { DEALSHEET_TOKEN: 'token' } });
      expect(JSON.parse(stdout).counts).toMatchObject({ created: 0, alreadyLoaded: 1 });
      expect(service.requests).toHaveLength(1);
    } finally {
      await service.stop();
    }
  });
});
