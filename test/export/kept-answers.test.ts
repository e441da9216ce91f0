import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exactText } from '../../src/export/exact-json.ts';
import { FileKeeper, openAnswer, withAnswerFolder } from '../../src/export/kept-answers.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';

const inFolder = folderForEachTest();

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
    const keeper = new FileKeeper(inFolder('1.json'));
    keeper.begin();
    keeper.add(Buffer.from('[1,2,'));
    keeper.begin();
    for (const byte of Buffer.from(text)) keeper.add(Buffer.from([byte]));
    keeper.settle();
    expect(read(keeper)).toBe('["ä€😀",1.10]');
  });

  it('is nobody else’s to read, and is gone afterwards', async () => {
    const folder = await withAnswerFolder(async (folder) => {
      const keeper = new FileKeeper(join(folder, '1.json'));
      keeper.begin();
      keeper.add(Buffer.from('[]'));
      keeper.settle();
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      expect(statSync(keeper.path).mode & 0o777).toBe(0o600);
      return folder;
    });
    expect(existsSync(folder)).toBe(false);
  });

  it('for which there is no room says so', async () => {
    const keeper = new FileKeeper(inFolder('no such folder/answer'));
    keeper.begin();
    keeper.add(Buffer.from('[]'));
    expect(keeper.failure).not.toBeNull();
    expect(() => keeper.settle()).toThrow(/could not be kept on this computer \(ENOENT\)/);
  });
});
