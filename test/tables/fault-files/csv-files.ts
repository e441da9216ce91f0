/** 28. CSV. */
import iconv from 'iconv-lite';
import { type FaultFiles, many, megabyte } from './fault-file.ts';

const rowsOfCsv = (count: number) => many(count, (index) => `name ${index},${index}.50,note\r\n`);

let large: Buffer | null = null;
function fiftyMegabytes(): Buffer {
  large ??= Buffer.from(rowsOfCsv(2_300_000));
  return large;
}

export const csvFiles: FaultFiles = {
  'with an unclosed quote at the start of 50 MB': [
    () => Buffer.concat([Buffer.from('"'), fiftyMegabytes()]),
    /line 1 that is never closed/,
  ],
  'with an unclosed quote at its end': [
    () => Buffer.from(`${rowsOfCsv(100_000)}"open,1\r\n`),
    /line 100001 that is never closed/,
  ],
  'one line of 50 MB': [() => Buffer.alloc(50 * megabyte, 'x'), /longer than/],
  'one line of 100 MB of other letters': [() => Buffer.from('é'.repeat(50 * megabyte)), /longer than/],
  'one line of 15 million commas': [() => Buffer.alloc(15_000_000, ','), /16384|longer/],
  'one line of 30,000 cells': [() => Buffer.from(`a${',b'.repeat(29_999)}\n`), /16384 cells in row 1/],
  '15 million quotes': [() => Buffer.alloc(15_000_000, '"'), /never closed|longer/],
  'five million blank lines': [() => Buffer.alloc(5_000_000, '\n'), { rows: 0 }],
  'of 50 MB that is sound': [
    fiftyMegabytes,
    { rows: 2_300_000, last: [2_300_000, 'name 2299999', '2299999.50', 'note'] },
  ],
  'with a NUL at its start': [() => Buffer.from('\u0000a,b\n1,2\n'), /NUL/],
  'with a NUL behind 10 MB': [() => Buffer.from(`${rowsOfCsv(450_000)}a\u0000,b\n`), /NUL/],
  'with another byte behind 10 MB': [
    () => Buffer.concat([Buffer.from(rowsOfCsv(450_000)), Buffer.from([0xe9, 0x0a])]),
    { rows: 450_001, last: [450_001, 'é'] },
  ],
  'in UTF-16LE without a mark': [
    () => Buffer.from(rowsOfCsv(200_000), 'utf16le'),
    { rows: 200_000, last: [200_000, 'name 199999', '199999.50', 'note'] },
  ],
  'in UTF-16BE without a mark': [
    () => Buffer.from(rowsOfCsv(1000), 'utf16le').swap16(),
    { rows: 1000, last: [1000, 'name 999', '999.50', 'note'] },
  ],
  'in UTF-16LE, cut within a character': [
    () => Buffer.from('\uFEFFa,b\r\n1,2\r\n', 'utf16le').subarray(0, -1),
    /half a character/,
  ],
  'in UTF-16 of other letters without a mark': [
    () => Buffer.from('имя,сумма\r\nКиев,1\r\n'.repeat(100), 'utf16le'),
    { rows: 200, last: [200, 'Киев', '1'] },
  ],
  'in Windows-1252': [
    () => iconv.encode('name,town\r\nZoë,Žilina\r\nGarçon,Orléans\r\n', 'windows-1252'),
    { rows: 3, last: [3, 'Garçon', 'Orléans'] },
  ],
  'with every line end there is': [
    () => Buffer.from('a,b\r\nc,d\ne,f\rg,h\n\ri,"j\r\nk"\r\r\nl,m'),
    { rows: 6, last: [8, 'l', 'm'] },
  ],
  'with carriage returns alone, 10 MB': [
    () => Buffer.from(rowsOfCsv(450_000).replaceAll('\r\n', '\r')),
    { rows: 450_000 },
  ],
  'with a header that is a name of JavaScript': [
    () => Buffer.from('__proto__,constructor\n1,2\n'),
    { rows: 2, first: [1, '__proto__', 'constructor'] },
  ],
  'of a mark alone': [() => Buffer.from('\uFEFF'), { rows: 0 }],
  'of a header alone': [() => Buffer.from('\uFEFFa,b'), { rows: 1, first: [1, 'a', 'b'] }],
  'with two marks, as joined files have': [() => Buffer.from('\uFEFF\uFEFFa,b\n'), { rows: 1, first: [1, 'a', 'b'] }],
  'with rows too long and too short': [() => Buffer.from('a,b\n1\n1,2,3\n'), { rows: 3, cells: 6 }],
};
