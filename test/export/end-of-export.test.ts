import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withExportFile } from '../../src/export/export-file.ts';
import { errorOf } from '../../src/messages/text.ts';

let place: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'dealsheet-export-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const balances = { mark: 'balances', kept: [], asTemplate: false };

/** What an export ends with whose work throws, and the folder of its answers. */
async function endOf(path: string | null, work: () => void): Promise<{ thrown: unknown; folder: string }> {
  let folder = '';
  const ended = withExportFile({ output: path, format: 'csv' }, balances, async (_, ofAnswers) => {
    folder = ofAnswers;
    work();
    return {};
  });
  return ended.then(
    () => expect.unreachable('Nothing was thrown.'),
    (thrown: unknown) => ({ thrown, folder }),
  );
}

const onFullDisk = () => appendFileSync('/dev/full', 'x');

describe('what ends an export', () => {
  it('is told as a disk that is full where it is one, whatever was being written', async () => {
    const path = join(place, 'companies.csv');
    expect((await endOf(path, onFullDisk)).thrown).toMatchObject({
      code: 'output-failed',
      message: `The file ${path} could not be written (ENOSPC).`,
      cause: { code: 'ENOSPC' },
    });
    expect((await endOf(null, onFullDisk)).thrown).toMatchObject({ code: 'output-failed' });
  });

  it.each([errorOf('export-interrupted'), new Error('a mistake of ours')])(
    'stays what it is where it is no fault of the disk: %s',
    async (error) => {
      const { thrown } = await endOf(null, () => {
        throw error;
      });
      expect(thrown).toBe(error);
    },
  );

  it('leaves neither a part of the file nor the answers behind', async () => {
    const { folder } = await endOf(join(place, 'companies.csv'), onFullDisk);
    expect(readdirSync(place)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });
});
