import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exactText } from '../../src/export/exact-json.ts';
import { AnswerFolder, FileKeeper, openAnswer } from '../../src/export/kept-answers.ts';

let folder: AnswerFolder;
beforeEach(async () => {
  folder = await AnswerFolder.open();
});
afterEach(() => folder.remove());

function read(keeper: FileKeeper): string {
  const { reader, close } = openAnswer(keeper.path);
  try {
    return exactText(reader.value());
  } finally {
    close();
  }
}

describe('an answer on disk', () => {
  const text = '\uFEFF["ä€😀", 1.10]';

  it('is read as it came, wherever its bytes were cut, and only the last try counts', async () => {
    const keeper = folder.keeper();
    keeper.begin();
    keeper.add(Buffer.from('[1,2,'));
    keeper.begin();
    for (const byte of Buffer.from(text)) keeper.add(Buffer.from([byte]));
    await keeper.settle('');
    expect(read(keeper)).toBe('["ä€😀",1.10]');
  });

  it('is unpacked when the service packs it all the same', async () => {
    for (const [encoding, packed] of [
      ['gzip', gzipSync(text)],
      ['deflate', deflateSync(text)],
      ['deflate', deflateRawSync(text)],
      ['deflate, GZIP', gzipSync(deflateRawSync(text))],
    ] as const) {
      const keeper = folder.keeper();
      keeper.begin();
      keeper.add(packed);
      await keeper.settle(encoding);
      expect(read(keeper), encoding).toBe('["ä€😀",1.10]');
    }
  });

  it('that cannot be unpacked, or is packed in an unknown way, is refused', async () => {
    const keeper = folder.keeper();
    keeper.begin();
    keeper.add(gzipSync(text).subarray(0, 15));
    await expect(keeper.settle('gzip')).rejects.toThrow(/could not be unpacked/);
    await expect(keeper.settle('zip')).rejects.toThrow(/encoded as "zip"/);
  });

  it('is nobody else’s to read, and is gone afterwards', async () => {
    const keeper = folder.keeper();
    keeper.begin();
    keeper.add(Buffer.from('[]'));
    await keeper.settle('');
    expect(statSync(folder.path).mode & 0o777).toBe(0o700);
    expect(statSync(keeper.path).mode & 0o777).toBe(0o600);
    await folder.remove();
    expect(existsSync(folder.path)).toBe(false);
  });

  it('for which there is no room says so', async () => {
    const keeper = new FileKeeper(join(folder.path, 'no such folder', 'answer'));
    keeper.begin();
    keeper.add(Buffer.from('[]'));
    expect(keeper.failure).not.toBeNull();
    await expect(keeper.settle('')).rejects.toThrow(/could not be kept on this computer \(ENOENT\)/);
  });
});
