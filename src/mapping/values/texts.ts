/** Text as typed: only blanks around it are taken off, and said to be. */
import { posix } from 'node:path';
import { valueMessage } from '../../messages/values.ts';
import { changed, type FilledCell, type Reading, shownText, textOfCell, value } from '../reading.ts';

export function readText(cell: FilledCell): Reading {
  const shown = shownText(cell);
  const trimmed = shown.trim();
  if (trimmed.length === shown.length) return textOfCell(cell, shown);
  return changed(trimmed, valueMessage('blanks-around'));
}

/** `./a.txt` and `june/../a.txt` name the file a.txt: as another name it would be another attachment, and go in again. */
export function readFile(cell: FilledCell): Reading {
  const reading = readText(cell);
  return reading.ok ? { ...reading, value: posix.normalize(String(reading.value)).normalize('NFC') } : reading;
}

/**
 * Several in one cell: split where a line ends, and on `;`, else on `|`; where there is nothing of that, on `,`. Blanks and empty
 * parts are left out, and a comma at the end of a line.
 */
export function splitList(cell: FilledCell): string[] {
  const text = shownText(cell).trim();
  const mark = [';', '|'].find((each) => text.includes(each));
  const parts = lineEnd.test(text)
    ? text.split(lineEnd).flatMap((line) =>
        line
          .trim()
          .replace(/,$/, '')
          .split(mark ?? lineEnd),
      )
    : text.split(mark ?? ',');
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

const lineEnd = /[\r\n]/;

export function readList(cell: FilledCell): Reading {
  const parts = splitList(cell);
  if (typeof cell === 'string') return value(parts);
  const reading = textOfCell(cell, parts.join('; '));
  return reading.ok ? { ...reading, value: parts } : reading;
}

/** One or more e-mail addresses as one text; a list in any of the usual separators becomes comma-separated (interface 2.4). */
export function readEmails(cell: FilledCell): Reading {
  const text = shownText(cell).trim();
  const joined = splitList(text).join(', ');
  return joined === text || joined.replaceAll(' ', '') === text.replaceAll(' ', '')
    ? value(joined)
    : changed(joined, valueMessage('read-as', { read: joined }));
}
