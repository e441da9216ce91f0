/** 25. Files that are not what their names say. */
import { handMadeZip } from '../hand-made-zip.ts';
import { relation, relationships } from '../xlsx/workbook-parts.ts';
import { type FaultFiles, noise, zipParts } from './fault-file.ts';

export const otherFormats: FaultFiles = {
  'an old or protected workbook': [
    () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(5000)]),
    /password.*\.xls/,
  ],
  HTML: [() => Buffer.from('\r\n <!DOCTYPE html><table><tr><td>1</td></tr></table>'), /HTML/],
  XML: [() => Buffer.from('<?xml version="1.0"?><Workbook/>'), /HTML or XML/],
  JSON: [() => Buffer.from('[\n  {"loanId": "loan_1"}\n]\n'), /JSON/],
  'JSON in lines': [() => Buffer.from('{"loanId":"loan_1"}\n{"loanId":"loan_2"}\n'), /JSON/],
  'a PDF': [() => Buffer.from('%PDF-1.7\n'), /PDF/],
  gzip: [() => Buffer.from([0x1f, 0x8b, 8, 0]), /gzip/],
  'an empty archive': [() => handMadeZip([]), /empty/],
  nothing: [() => Buffer.alloc(0), /empty/],
  'a letter': [
    () =>
      handMadeZip([
        { name: '_rels/.rels', content: relationships(relation('a', 'officeDocument', 'word/document.xml')) },
        { name: 'word/document.xml', content: '<document/>' },
      ]),
    /document of another kind/,
  ],
  'a binary workbook': [
    () =>
      handMadeZip(
        zipParts({ sheets: { Data: '' } }).map((part) =>
          part.name === '_rels/.rels'
            ? { ...part, content: relationships(relation('a', 'officeDocument', 'xl/workbook.bin')) }
            : { ...part, name: part.name.replace('workbook.xml', 'workbook.bin') },
        ),
      ),
    /binary.*\.xlsb/,
  ],
  'an OpenDocument sheet': [
    () =>
      handMadeZip([
        { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet' },
        { name: 'content.xml', content: '<a/>' },
      ]),
    /OpenDocument.*\.ods/,
  ],
  'an archive of files': [() => handMadeZip([{ name: 'photo.jpg', content: 'x' }]), /an archive .* not a workbook/],
  'a picture': [() => Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d', 'hex'), noise(100)]), /NUL/],
};
