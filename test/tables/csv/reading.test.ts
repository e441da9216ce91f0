import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { isDealsheetError } from '../../../src/errors.ts';
import { createCsvWriter, defuse, undefuse } from '../../../src/tables/csv/csv-writer.ts';
import { readTable } from '../../builders/read-table.ts';
import { folderForAllTests } from '../../builders/temporary-folder.ts';

const inFolder = folderForAllTests();

async function read(content: string | Buffer, options: Parameters<typeof readTable>[1] = {}) {
  const path = inFolder('file.csv');
  writeFileSync(path, content);
  return readTable(path, options);
}

const cells = async (...given: Parameters<typeof read>) => (await read(...given)).rows.map(({ values }) => values);

describe('the character set of a CSV file', () => {
  const text = 'name,city\r\nZoë,Çaycuma\r\n';
  const expected = [
    ['name', 'city'],
    ['Zoë', 'Çaycuma'],
  ];

  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16LE with a mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16BE with a mark', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['UTF-16LE without a mark', Buffer.from('name,city\r\nZoe,Caycuma\r\n', 'utf16le')],
    ['Windows-1252', iconv.encode(`${text}Größe,café\r\n`, 'windows-1252')],
  ])('is found: %s', async (name, bytes) => {
    const found = await cells(bytes);
    expect(found[0]).toEqual(expected[0]);
    expect(found[1]).toEqual(name === 'UTF-16LE without a mark' ? ['Zoe', 'Caycuma'] : expected[1]);
  });

  it('is told when it is a guess', async () => {
    const { notices } = await read(iconv.encode(text, 'windows-1252'));
    expect(notices).toMatchObject([{ code: 'character-set-guessed' }]);
  });

  it('is what the person says', async () => {
    const cyrillic = iconv.encode('a,б\n', 'windows-1251');
    expect(await cells(cyrillic, { encoding: 'windows-1251' })).toEqual([['a', 'б']]);
    expect(await cells(cyrillic, { usualEncoding: 'windows-1251' })).toEqual([['a', 'б']]);
    // Results of a mapped file are UTF-8, with a mark.
    expect(await cells('\uFEFFa,б\n', { usualEncoding: 'windows-1251' })).toEqual([['a', 'б']]);
  });

  it('is refused for NUL bytes and for other bytes in what was said to be UTF-8', async () => {
    await expect(read(Buffer.from('a,b\nc\u0000,d\n'))).rejects.toThrow(/NUL/);
    const latin = Buffer.from(`${'a\n'.repeat(40_000)}\xff\n`, 'latin1');
    await expect(read(latin, { encoding: 'utf-8' })).rejects.toThrow(/not UTF-8 throughout: line 40001 has/);
  });

  it('is not guessed for UTF-8 with another byte in it', async () => {
    const rows = Buffer.from('name\nZoë Müller\nLøv AS\n');
    await expect(read(Buffer.concat([rows, Buffer.from([0x43, 0xe9, 0x0a]), rows]))).rejects.toThrow(/"ZoÃ«" as/);
    // A file that was cut off within a letter.
    await expect(read(rows.subarray(0, rows.indexOf(0xb8)))).rejects.toThrow(/"ZoÃ«" as/);
    const faults = [
      [0xc0, 0xaf],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xe2, 0x82, 0x2c],
    ];
    for (const bytes of faults) {
      const repeated = Buffer.from('é€😀ü\n'.repeat(40_000));
      await expect(read(Buffer.concat([repeated, Buffer.from(bytes)]))).rejects.toThrow(/in several ways/);
    }
  });

  it('may hold two letters that would be one of UTF-8, where most of its letters are none', async () => {
    const bytes = iconv.encode('name\nZoë Müller, Café Größe\nCAFÉ™\n', 'windows-1252');
    expect(await cells(bytes)).toEqual([['name'], ['Zoë Müller', ' Café Größe'], ['CAFÉ™']]);
  });

  it('never breaks a character between two pieces of the file', async () => {
    const rows = await cells('é€😀\n'.repeat(120_000));
    expect(rows).toHaveLength(120_000);
    expect(new Set(rows.flat())).toEqual(new Set(['é€😀']));
  });
});

describe('the rows of a CSV file', () => {
  it.each([',', ';', '\t', '|'])('are cut at the delimiter that the first lines show (%s)', async (mark) => {
    expect(await cells(`a${mark}b\n"x${mark}y"${mark}2.5\n`)).toEqual([
      ['a', 'b'],
      [`x${mark}y`, '2.5'],
    ]);
  });

  it('are cut at the delimiter that the person or the first line names', async () => {
    expect(await cells('sep=;\r\na,b;c\r\n')).toEqual([['a,b', 'c']]);
    expect(await cells('a;b|c\n', { delimiter: '|' })).toEqual([['a;b', 'c']]);
  });

  it('end at CRLF, LF or CR, also in a mixture, and keep newlines and quotes within cells', async () => {
    expect(await cells('a,b\r\n"line 1\r\nline 2","say ""hi"""\rx,y\nlast,')).toEqual([
      ['a', 'b'],
      ['line 1\r\nline 2', 'say "hi"'],
      ['x', 'y'],
      ['last'],
    ]);
  });

  it('have the numbers that a spreadsheet shows, blank ones counted', async () => {
    const { rows } = await read('a,b\n\n1,2\n,,\n"x\ny",4\n');
    expect(rows.map(({ number }) => number)).toEqual([1, 3, 5]);
  });

  it('may be too long or too short, and carry any header', async () => {
    expect(await cells('__proto__,a,a\n1\n1,2,3,4\n')).toEqual([['__proto__', 'a', 'a'], ['1'], ['1', '2', '3', '4']]);
  });

  it('are refused when a quotation mark is never closed, or has text behind it', async () => {
    await expect(read('a,b\n1,"open\n2,3\n')).rejects.toThrow(/line 2 that is never closed/);
    await expect(read('a,b\n"x"y,2\n')).rejects.toThrow(/quotation mark that does not belong there in line 2/);
  });

  it('are refused when one is no row of a table', async () => {
    await expect(read(`a,b\n"${'x'.repeat(40_000_000)}`)).rejects.toMatchObject({ code: 'unreadable-source' });
  });

  it('are read or refused, whatever is done to the file', async () => {
    const sound = 'name,amount,note\r\n"Harbor, Bakery",1250.50,"two\r\nlines"\r\nZoë;x,"say ""hi""",|\r\n';
    const runs = process.env.DEALSHEET_LONG === '1' ? 20_000 : 700;
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(fc.nat(sound.length), fc.constantFrom('"', ',', '\r', '\n', ';', '\u0000', 'é', '\t', "'", '')),
          { minLength: 1, maxLength: 4 },
        ),
        async (edits) => {
          let text = sound;
          for (const [at, piece] of edits) text = text.slice(0, at) + piece + text.slice(at + 1);
          await read(text).catch((error: unknown) => expect(isDealsheetError(error)).toBe(true));
        },
      ),
      { numRuns: runs },
    );
  });
});

describe('CSV that we write', () => {
  it('is read back as it was written', async () => {
    const cell = fc
      .oneof(
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        fc.constantFrom('=1+1', '+x', '-5', '@a', "'=x", '"', ',', 'a\r\nb', ' ', ''),
      )
      .filter((text) => !text.includes('\u0000'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 }),
        async (table) => {
          const path = inFolder('written.csv');
          const writer = await createCsvWriter(path, { mode: 0o600, properties: {} });
          const sheet = await writer.addSheet({ name: 'x', columns: [] });
          for (const row of [['first', 'row'], ...table]) await sheet.addRow(row);
          await writer.finish();
          const { rows } = await readTable(path, { delimiter: ',' });
          const got = new Map(rows.map(({ number, values }) => [number, values]));
          table.forEach((row, index) => {
            const cells = got.get(index + 2) ?? [];
            expect(row.map((_, column) => undefuse(String(cells[column] ?? '')))).toEqual(row);
          });
        },
      ),
      { numRuns: 150 },
    );
  });

  it('defuses what a spreadsheet would calculate, and nothing else', () => {
    for (const text of ['=1+1', '+SUM(A1)', '-A1', '@x', '\tx', '\rx', '\nx']) expect(defuse(text)).toBe(`'${text}`);
    for (const text of ['-5', '+12.50', '-1,250.00', 'plain', '', "it's"]) expect(defuse(text)).toBe(text);
  });

  it('takes off what it put on, for every text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^'{0,3}[=+\-@\t\r\n]?.{0,5}$/)),
        (text) => undefuse(defuse(text)) === text,
      ),
    );
  });
});

it('a formula that only says a text is that text, as a spreadsheet shows it', async () => {
  const rows = 'id,zip,name\n="deal_1","=""07030""","=""Ben """"B"""" Lee"""\n="",=1+1,"=""a"" & ""b"""\n';
  expect(await cells(rows)).toEqual([
    ['id', 'zip', 'name'],
    ['deal_1', '07030', 'Ben "B" Lee'],
    [null, '=1+1', '="a" & "b"'],
  ]);
});

it.each([
  ["'Company','City'\n'Acme''s',Troy\n'Bell','O''Hara''s'\n", "Acme's", "O'Hara's"],
  ['"""Company""","""City"""\n"""Acme\'s""","Troy"\n"""Bell""",O\'Hara\'s\n', "Acme's", "O'Hara's"],
  ["“Company”,“City”\n“Acme's”,Troy\n“Bell”,“O'Hara's”\n", "Acme's", "O'Hara's"],
  ["'Company',City\n'Acme''s',Troy\n'Bell',O'Hara's\n", "'Acme''s'", "O'Hara's"],
])('quotation marks of another kind around every header are none of the cells: %j', async (text, name, city) => {
  const [, [first] = [], [, last] = []] = await cells(text);
  expect([first, last]).toEqual([name, city]);
});
