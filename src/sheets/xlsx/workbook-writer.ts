/** XLSX out, streamed: each sheet is deflated while its rows come, so that memory does not grow with them. */

import { openTemporaryFile } from '../../disk/temporary-file.ts';
import { DealsheetError } from '../../errors.ts';
import type { OutputSheet, OutputSheetOptions, SheetWriter, SheetWriterOptions } from '../sheet-writer.ts';
import { type FinishedSheet, linkRelationships, packageParts } from './package-parts.ts';
import { SheetXml } from './sheet-xml.ts';
import { ZipWriter } from './zip-writer.ts';

/** @throws DealsheetError `unwritable-results` when the folder cannot be written */
export async function createXlsxWriter(path: string, options: SheetWriterOptions): Promise<SheetWriter> {
  const file = await openTemporaryFile(path, options.mode, options.mayReplace);
  const zip = new ZipWriter(options.compression, file.write);
  const sheets: FinishedSheet[] = [];
  let current: { readonly xml: SheetXml; readonly options: OutputSheetOptions; readonly name: string } | null = null;

  const endSheet = async (): Promise<void> => {
    if (current === null) return;
    const { xml, ...of } = current;
    current = null;
    const number = sheets.length + 1;
    const { links, ...size } = await xml.end();
    if (links.length > 0) await zip.add(`xl/worksheets/_rels/sheet${number}.xml.rels`, linkRelationships(links));
    sheets.push({ ...of, ...size, number });
  };

  return {
    addSheet: async (wanted): Promise<OutputSheet> => {
      await endSheet();
      const taken = sheets.map(({ name }) => name);
      const xml = new SheetXml(await zip.begin(`xl/worksheets/sheet${sheets.length + 1}.xml`), wanted);
      current = { xml, options: wanted, name: freeSheetName(wanted.name, taken) };
      return xml;
    },
    finish: async () => {
      await endSheet();
      if (sheets.length === 0)
        throw new DealsheetError('output-failed', 'A workbook needs a sheet.', 'Nothing was written.');
      for (const [name, text] of packageParts(sheets, options.properties)) await zip.add(name, [text]);
      await zip.end();
      return file.place();
    },
    abandon: () => file.remove(),
  };
}

const longestName = 31;

/**
 * A name that Excel takes for a sheet, with a number when it is taken: at most 31 characters, none of `: \ / ? * [ ]`, no apostrophe
 * at either end, each once whatever its case, and not History, which Excel keeps for itself.
 */
export function freeSheetName(wanted: string, taken: readonly string[]): string {
  const fit = fitSheetName(wanted);
  const used = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` (${number})`;
    const name = cutName(fit, longestName - suffix.length) + suffix;
    if (!used.has(name.toLowerCase())) return name;
  }
}

function fitSheetName(wanted: string): string {
  const allowed = wanted.replace(/[:\\/?*[\]\u0000-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '_').replace(/^'+|'+$/g, '');
  const fit = cutName(allowed, longestName) || 'Sheet';
  return fit.toLowerCase() === 'history' ? `${fit}_` : fit;
}

/** Neither half a character nor an apostrophe is left at the end. */
function cutName(name: string, length: number): string {
  return name
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/'+$/, '');
}
