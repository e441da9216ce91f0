/** 25. Files that are not what their names say. */
import { handMadeZip } from '../hand-made-zip.ts';
import { relation, relationships } from '../xlsx/workbook-parts.ts';
import { type FaultFile, noise, zipParts } from './fault-file.ts';

export const otherFormats: readonly FaultFile[] = [
  {
    name: 'an old or protected workbook',
    bytes: () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(5000)]),
    expected: /password.*\.xls/,
  },
  {
    name: 'HTML',
    bytes: () => Buffer.from('\r\n <!DOCTYPE html><table><tr><td>1</td></tr></table>'),
    expected: /HTML/,
  },
  { name: 'XML', bytes: () => Buffer.from('<?xml version="1.0"?><Workbook/>'), expected: /HTML or XML/ },
  { name: 'JSON', bytes: () => Buffer.from('[\n  {"loanId": "loan_1"}\n]\n'), expected: /JSON/ },
  { name: 'JSON in lines', bytes: () => Buffer.from('{"loanId":"loan_1"}\n{"loanId":"loan_2"}\n'), expected: /JSON/ },
  { name: 'a PDF', bytes: () => Buffer.from('%PDF-1.7\n'), expected: /PDF/ },
  { name: 'gzip', bytes: () => Buffer.from([0x1f, 0x8b, 8, 0]), expected: /gzip/ },
  { name: 'an empty archive', bytes: () => handMadeZip([]), expected: /empty/ },
  { name: 'nothing', bytes: () => Buffer.alloc(0), expected: /empty/ },
  {
    name: 'a letter',
    bytes: () =>
      handMadeZip([
        { name: '_rels/.rels', content: relationships(relation('a', 'officeDocument', 'word/document.xml')) },
        { name: 'word/document.xml', content: '<document/>' },
      ]),
    expected: /document of another kind/,
  },
  {
    name: 'a binary workbook',
    bytes: () =>
      handMadeZip(
        zipParts({ sheets: { Data: '' } }).map((part) =>
          part.name === '_rels/.rels'
            ? { ...part, content: relationships(relation('a', 'officeDocument', 'xl/workbook.bin')) }
            : { ...part, name: part.name.replace('workbook.xml', 'workbook.bin') },
        ),
      ),
    expected: /binary.*\.xlsb/,
  },
  {
    name: 'an OpenDocument sheet',
    bytes: () =>
      handMadeZip([
        { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet' },
        { name: 'content.xml', content: '<a/>' },
      ]),
    expected: /OpenDocument.*\.ods/,
  },
  {
    name: 'an archive of files',
    bytes: () => handMadeZip([{ name: 'photo.jpg', content: 'x' }]),
    expected: /an archive .* not a workbook/,
  },
  {
    name: 'a picture',
    bytes: () => Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d', 'hex'), noise(100)]),
    expected: /NUL/,
  },
];
