/** 28. CSV. */
import iconv from 'iconv-lite';
import { type FaultFile, many, megabyte } from './fault-file.ts';

const rowsOfCsv = (count: number) => many(count, (index) => `name ${index},${index}.50,note\r\n`);

let large: Buffer | null = null;
function fiftyMegabytes(): Buffer {
  large ??= Buffer.from(rowsOfCsv(2_300_000));
  return large;
}

export const csvFiles: readonly FaultFile[] = [
  {
    name: 'with an unclosed quote at the start of 50 MB',
    bytes: () => Buffer.concat([Buffer.from('"'), fiftyMegabytes()]),
    expected: /line 1 that is never closed/,
  },
  {
    name: 'with an unclosed quote at its end',
    bytes: () => Buffer.from(`${rowsOfCsv(100_000)}"open,1\r\n`),
    expected: /line 100001 that is never closed/,
  },
  { name: 'one line of 50 MB', bytes: () => Buffer.alloc(50 * megabyte, 'x'), expected: /longer than/ },
  {
    name: 'one line of 100 MB of other letters',
    bytes: () => Buffer.from('é'.repeat(50 * megabyte)),
    expected: /longer than/,
  },
  { name: 'one line of 15 million commas', bytes: () => Buffer.alloc(15_000_000, ','), expected: /16384|longer/ },
  {
    name: 'one line of 30,000 cells',
    bytes: () => Buffer.from(`a${',b'.repeat(29_999)}\n`),
    expected: /16384 cells in row 1/,
  },
  { name: '15 million quotes', bytes: () => Buffer.alloc(15_000_000, '"'), expected: /never closed|longer/ },
  { name: 'five million blank lines', bytes: () => Buffer.alloc(5_000_000, '\n'), expected: { rows: 0 } },
  {
    name: 'of 50 MB that is sound',
    bytes: fiftyMegabytes,
    expected: { rows: 2_300_000, last: [2_300_000, 'name 2299999', '2299999.50', 'note'] },
  },
  { name: 'with a NUL at its start', bytes: () => Buffer.from('\u0000a,b\n1,2\n'), expected: /NUL/ },
  { name: 'with a NUL behind 10 MB', bytes: () => Buffer.from(`${rowsOfCsv(450_000)}a\u0000,b\n`), expected: /NUL/ },
  {
    name: 'with another byte behind 10 MB',
    bytes: () => Buffer.concat([Buffer.from(rowsOfCsv(450_000)), Buffer.from([0xe9, 0x0a])]),
    expected: { rows: 450_001, last: [450_001, 'é'] },
  },
  {
    name: 'in UTF-16LE without a mark',
    bytes: () => Buffer.from(rowsOfCsv(200_000), 'utf16le'),
    expected: { rows: 200_000, last: [200_000, 'name 199999', '199999.50', 'note'] },
  },
  {
    name: 'in UTF-16BE without a mark',
    bytes: () => Buffer.from(rowsOfCsv(1000), 'utf16le').swap16(),
    expected: { rows: 1000, last: [1000, 'name 999', '999.50', 'note'] },
  },
  {
    name: 'in UTF-16LE, cut within a character',
    bytes: () => Buffer.from('\uFEFFa,b\r\n1,2\r\n', 'utf16le').subarray(0, -1),
    expected: /half a character/,
  },
  {
    name: 'in UTF-16 of other letters without a mark',
    bytes: () => Buffer.from('имя,сумма\r\nКиев,1\r\n'.repeat(100), 'utf16le'),
    expected: { rows: 200, last: [200, 'Киев', '1'] },
  },
  {
    name: 'in Windows-1252',
    bytes: () => iconv.encode('name,town\r\nZoë,Žilina\r\nGarçon,Orléans\r\n', 'windows-1252'),
    expected: { rows: 3, last: [3, 'Garçon', 'Orléans'] },
  },
  {
    name: 'with every line end there is',
    bytes: () => Buffer.from('a,b\r\nc,d\ne,f\rg,h\n\ri,"j\r\nk"\r\r\nl,m'),
    expected: { rows: 6, last: [8, 'l', 'm'] },
  },
  {
    name: 'with carriage returns alone, 10 MB',
    bytes: () => Buffer.from(rowsOfCsv(450_000).replaceAll('\r\n', '\r')),
    expected: { rows: 450_000 },
  },
  {
    name: 'with a header that is a name of JavaScript',
    bytes: () => Buffer.from('__proto__,constructor\n1,2\n'),
    expected: { rows: 2, first: [1, '__proto__', 'constructor'] },
  },
  { name: 'of a mark alone', bytes: () => Buffer.from('\uFEFF'), expected: { rows: 0 } },
  { name: 'of a header alone', bytes: () => Buffer.from('\uFEFFa,b'), expected: { rows: 1, first: [1, 'a', 'b'] } },
  {
    name: 'with two marks, as joined files have',
    bytes: () => Buffer.from('\uFEFF\uFEFFa,b\n'),
    expected: { rows: 1, first: [1, 'a', 'b'] },
  },
  {
    name: 'with rows too long and too short',
    bytes: () => Buffer.from('a,b\n1\n1,2,3\n'),
    expected: { rows: 3, cells: 6 },
  },
];
