import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configurationSchema } from '../../src/cli/settings/configuration.ts';
import { exitCodes } from '../../src/cli/terminal/exit-code.ts';
import { rowStates } from '../../src/contract/row-state.ts';
import { mappingSchema } from '../../src/mapping/mapping-file/mapping.ts';
import { startRecordingService } from '../builders/recording-service.ts';
import { newWorkplace, root, type Workplace } from '../builders/workplace.ts';
import { fieldTables } from './reference.ts';

const path = join(root, 'README.md');
const readme = () => readFileSync(path, 'utf8');

function between(name: string): string {
  const text = readme();
  const begin = `<!-- ${name}:begin -->`;
  return text.slice(text.indexOf(begin) + begin.length, text.indexOf(`<!-- ${name}:end -->`)).trim();
}

function codeIn(name: string): string {
  return /```\w*\n([\s\S]*?)```/.exec(between(name))?.[1] ?? '';
}

describe('the README', () => {
  let place: Workplace;
  beforeAll(() => {
    place = newWorkplace();
  });
  afterAll(() => place.remove());

  it('has the field tables that the schemas make', () => {
    if (process.env.DEALSHEET_UPDATE === '1') {
      const text = readme().replace(
        /<!-- fields:begin -->[\s\S]*<!-- fields:end -->/,
        () => `<!-- fields:begin -->\n${fieldTables()}\n<!-- fields:end -->`,
      );
      writeFileSync(path, text);
    }
    expect(between('fields')).toBe(fieldTables());
  });

  it('shows no mark in angle brackets as text, which a page would swallow', () => {
    const prose = readme().replaceAll(/```[\s\S]*?```|`[^`]*`|<!--[\s\S]*?-->/g, '');
    expect(prose).not.toMatch(/<\w+>/);
  });

  it('leads to headings and files that there are', () => {
    const headings = [...readme().matchAll(/^#{2,3} (.+)$/gm)].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    const links = [...readme().matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, target = '']) => target);
    expect(links.length).toBeGreaterThan(10);
    for (const target of links) {
      if (target.startsWith('#')) expect(headings).toContain(target.slice(1));
      else expect(existsSync(join(root, target)), target).toBe(true);
    }
  });

  it('names every status and every exit code', () => {
    for (const { status } of Object.values(rowStates)) expect(readme()).toContain(status);
    for (const code of Object.values(exitCodes)) expect(readme()).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'));
  });

  it('shows a profile that is taken', () => {
    expect(configurationSchema.safeParse(JSON.parse(codeIn('profile'))).error).toBeUndefined();
  });

  it('shows a mapping that is taken', () => {
    expect(mappingSchema.safeParse(JSON.parse(codeIn('mapping'))).error).toBeUndefined();
  });

  it('shows a script that runs, and whose rows the command line knows', async () => {
    const service = await startRecordingService();
    try {
      const url = `${service.url}/lending/`;
      const library = join(root, 'dist', 'index.js');
      writeFileSync(place.path('script.mjs'), codeIn('library').replace("'dealsheet'", JSON.stringify(library)));
      writeFileSync(
        place.path('deals.csv'),
        'Amount requested,Company name,Owner last name\n100,Harbor Bakery,Moreno\n',
      );
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

  it('names only commands that there are', async () => {
    const help = await place.run(['--help']);
    const commands = [...readme().matchAll(/npx dealsheet ([a-z]+)/g)].map((match) => match[1]);
    expect(commands.length).toBeGreaterThan(3);
    for (const name of commands) expect(help.stdout).toContain(`dealsheet ${name}`);
  });
});
