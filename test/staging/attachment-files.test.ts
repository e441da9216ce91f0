import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { textOf as messageText } from '../../src/messages/text.ts';
import { rememberResults } from '../../src/report/results-place.ts';
import { openAttachment } from '../../src/staging/attachment-files.ts';
import { folderForAllTests } from '../builders/temporary-folder.ts';

const outside = folderForAllTests();
let folder: string;
const place = () => ({
  folder,
  privatePaths: [join(folder, 'settings'), join(folder, 'live.token')],
  sourcesFolder: join(folder, 'copies'),
});
const faultOf = (name: string) => {
  const found = openAttachment(place(), name);
  if (found.ok) found.file.close();
  return found.ok ? null : messageText(found.fault);
};

beforeAll(() => {
  folder = outside('attachments');
  mkdirSync(join(folder, 'june'), { recursive: true });
  writeFileSync(outside('secret.txt'), 'secret');
  writeFileSync(join(folder, 'june', 'statement.txt'), 'June');
  writeFileSync(join(folder, 'empty.txt'), '');
  symlinkSync(outside('secret.txt'), join(folder, 'leads-out.txt'));
  symlinkSync(join(folder, 'june', 'statement.txt'), join(folder, 'stays-in.txt'));
  symlinkSync('/dev/zero', join(folder, 'zero'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
});

describe('P25: a file that a cell names', () => {
  it.each(['june/statement.txt', './june/../june/statement.txt', 'stays-in.txt'])(
    'is taken when it is below the folder: %s',
    (name) => {
      expect(faultOf(name)).toBeNull();
    },
  );

  it.each([
    ['../secret.txt', /leads out/],
    ['june/../../secret.txt', /leads out/],
    ['/etc/passwd', /absolute path/],
    ['C:\\secret.txt', /absolute path/],
    ['https://files.example/june.pdf', /or an address/],
    ['file:///june.pdf', /or an address/],
    ['leads-out.txt', /leads out/],
    ['zero', /leads out/],
    ['pipe', /not a regular file/],
    ['june', /folder/],
    ['', /leads out/],
    ['empty.txt', /empty file/],
    ['nothing.txt', /was not found in/],
    ['june\\statement.txt', /Write june\/statement\.txt\.$/],
    ['.\\june\\statement.txt', /Write june\/statement\.txt\.$/],
  ])('is refused: %s', (name, fault) => {
    expect(faultOf(name)).toMatch(fault);
  });

  it.each([
    ['NFC', 'NFD'],
    ['NFD', 'NFC'],
  ] as const)('is found when it is typed in %s and stands on the disk in %s', (typed, written) => {
    const name = 'Café/Résumé.pdf';
    mkdirSync(join(folder, written, 'Café'.normalize(written)), { recursive: true });
    writeFileSync(join(folder, written, name.normalize(written)), 'curriculum');
    expect(faultOf(join(written, name.normalize(typed)))).toBeNull();
  });

  describe('that is not meant to be seen', () => {
    beforeAll(async () => {
      const files = ['.config/dealsheet/live.token', '.ssh/id_rsa', 'june/.hidden.pdf', 'settings/a/b.json'];
      for (const name of [...files, 'live.token', 'copies/run.csv', 'june.results.csv']) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), 'private');
      }
      symlinkSync(join(folder, '.ssh'), join(folder, 'papers'));
      symlinkSync(join(folder, 'live.token'), join(folder, 'live.pdf'));
      await rememberResults(
        join(folder, 'june.results.csv'),
        { folder: join(folder, 'copies'), digest: '', source: '' },
        null,
      );
    });

    it.each([
      ['.config/dealsheet/live.token', /^is hidden/],
      ['.ssh/id_rsa', /^is hidden/],
      ['june/.hidden.pdf', /^is hidden/],
      ['.not-there/at-all.pdf', /^is hidden/],
      ['papers/id_rsa', /^is hidden/],
      ['live.token', /^belongs to dealsheet/],
      ['live.pdf', /^belongs to dealsheet/],
      ['settings/a/b.json', /^belongs to dealsheet/],
      ['copies/run.csv', /^belongs to dealsheet/],
      ['june.results.csv', /^belongs to dealsheet/],
    ])('is refused: %s', (name, fault) => {
      expect(faultOf(name)).toMatch(fault);
    });
  });

  describe('of a ledger', () => {
    beforeAll(() => {
      openLedger(join(folder, 'ledger.db')).close();
      mkdirSync(join(folder, 'ledger.db.sources', 'runs'), { recursive: true });
      writeFileSync(join(folder, 'ledger.db.sources', 'runs', 'june.csv'), 'kept');
      writeFileSync(join(folder, 'ledger.db-wal'), 'log');
      symlinkSync(join(folder, 'ledger.db.key'), join(folder, 'statement.pdf'));
      writeFileSync(join(folder, 'server.key'), 'a key of something else');
    });

    it.each(['ledger.db', 'ledger.db.key', 'ledger.db-wal', 'ledger.db.sources/runs/june.csv', 'statement.pdf'])(
      'is refused: %s',
      (name) => {
        expect(faultOf(name)).toMatch(/^belongs to dealsheet/);
      },
    );

    it('is not one that is only called so', () => {
      expect(faultOf('server.key')).toBeNull();
    });

    it('is not one of the size of its key either, once it is called otherwise, as is said', () => {
      writeFileSync(join(folder, 'lease.key'), Buffer.alloc(32, 1));
      expect(faultOf('lease.key')).toMatch(/named like a file of it.* or give it another name\.$/);
      renameSync(join(folder, 'lease.key'), join(folder, 'lease.bin'));
      expect(faultOf('lease.bin')).toBeNull();
    });
  });

  it('is opened once: what was checked is sent, each time from its beginning, whatever the name points at later', async () => {
    writeFileSync(join(folder, 'once.txt'), 'first');
    const found = openAttachment(place(), 'once.txt');
    if (!found.ok) throw new Error(found.fault.code);
    writeFileSync(join(folder, 'other.txt'), 'second');
    renameSync(join(folder, 'other.txt'), join(folder, 'once.txt'));
    expect(await text(found.file.open())).toBe('first');
    expect(await text(found.file.open())).toBe('first');
    expect(found.file.digest).toBe('a7937b64b8caa58f03721bb6bacf5c78cb235febe0e70b1b84cd99541461a08e');
    found.file.close();
  });

  it('P30: is not sent to its end when its own bytes change while it is sent', async () => {
    writeFileSync(join(folder, 'scan.pdf'), 'a'.repeat(200_000));
    const found = openAttachment(place(), 'scan.pdf');
    if (!found.ok) throw new Error(found.fault.code);
    const chunks = found.file.open()[Symbol.asyncIterator]();
    const first: IteratorResult<Buffer> = await chunks.next();
    writeFileSync(join(folder, 'scan.pdf'), 'b'.repeat(200_000));
    let sent = first.value?.length ?? 0;
    const rest = async () => {
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) sent += next.value.length;
    };
    await expect(rest()).rejects.toThrow('The file changed while it was sent.');
    expect(sent).toBeLessThan(200_000);
    found.file.close();
  });
});
