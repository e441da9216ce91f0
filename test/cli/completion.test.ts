import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/command-line.ts';
import { ownWorkplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { runs } from '../builders/tools.ts';
import { environmentOf, main } from '../builders/workplace.ts';

const has = (shell: string) => runs(shell, '-c', 'true');

describe('a shell', () => {
  const place = ownWorkplaceForEachTest();

  beforeEach(() => {
    place.write('bin/dealsheet', `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
    chmodSync(place.path('bin/dealsheet'), 0o755);
  });

  function complete(shell: string, words: readonly string[], script: string): readonly string[] {
    const env = {
      ...environmentOf(place.folder, {}),
      PATH: `${place.path('bin')}:${process.env.PATH}`,
      SHELL: `/bin/${shell}`,
    };
    const { stdout, stderr } = spawnSync(shell, ['-c', script, shell, ...words], {
      cwd: place.folder,
      env,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return stdout.split('\n').filter((line) => line !== '');
  }

  const inBash = (...words: string[]) =>
    complete(
      'bash',
      words,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell reads it
      'source <(dealsheet completion); COMP_WORDS=(dealsheet "$@"); COMP_CWORD=$#; _dealsheet; printf "%s\\n" "${COMPREPLY[@]}"',
    );

  it.skipIf(!has('bash'))('completes commands, flags and choices (bash)', () => {
    expect(inBash('re')).toEqual(Object.keys(commands).filter((name) => name.startsWith('re')));
    expect(inBash('import', '--expect-')).toEqual(['--expect-count', '--expect-total', '--expect-like-last']);
    expect(inBash('import', '--as', 'comp')).toEqual(['companies', 'company-updates']);
    expect(inBash('export', 'b')).toEqual(['balances']);
  });

  it.skipIf(!has('fish'))('completes commands and flags (fish)', () => {
    const inFish = (line: string) =>
      complete('fish', [], `dealsheet completion fish | source; complete -C ${JSON.stringify(line)}`);
    expect(inFish('dealsheet reso')).toEqual(['resolve']);
    expect(inFish('dealsheet import --expect-')).toEqual(['--expect-count', '--expect-like-last', '--expect-total']);
  });

  it.skipIf(!has('zsh'))('is given a script that it understands (zsh)', () => {
    const script =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell reads it
      'autoload -Uz compinit; compinit -u; source <(dealsheet completion zsh); whence -w _dealsheet; print ${_comps[dealsheet]}';
    expect(complete('zsh', [], script)).toEqual(['_dealsheet: function', '_dealsheet']);
  });

  it('is told by name, and any other is refused', async () => {
    expect((await place.run(['completion', 'fish'])).stdout).toMatch(/complete -c dealsheet/);
    await expectExit(place.run(['completion', 'tcsh']), 2, /may be one of "bash", "zsh", "fish"/);
  });
});
