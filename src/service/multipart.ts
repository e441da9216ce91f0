/** A form with one file, streamed (service interface 4.5): the file is never in memory as a whole. */
import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { isObject } from '../contract/body-path.ts';
import { jsonOf } from '../contract/rename.ts';
import type { OutgoingFile } from './outcome.ts';

/** @param fields  the parts before the file: a list is a part for each of its values, an object a part of JSON */
export function formOf(fields: Readonly<Record<string, unknown>>, fileField: string, file: OutgoingFile) {
  const boundary = `dealsheet-${randomUUID()}`;
  const begun = (name: string, more: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"${more}\r\n\r\n`;
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const part = Array.isArray(value) ? `${name}[]` : name;
    return [value].flat().map((each) => {
      const isJson = isObject(each) && Object.getPrototypeOf(each) === Object.prototype;
      return `${begun(part, isJson ? '\r\ncontent-type: application/json' : '')}${isJson ? jsonOf(each) : each}\r\n`;
    });
  });
  const type = typeByEnding[extname(file.name).toLowerCase().slice(1)] ?? 'application/octet-stream';
  const fileHead = begun(fileField, `; filename="${quoted(file.name)}"\r\ncontent-type: ${type}`);
  const head = Buffer.from(parts.join('') + fileHead);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: head.length + file.size + tail.length,
    /** Makes the stream for one request. Rejects with a sentence when the file cannot be opened. */
    async open(): Promise<Readable> {
      const content = await opened(file);
      const form = Readable.from(concatenated(head, content, tail), { objectMode: false });
      // One that was never begun does not come to its own end.
      form.once('close', () => content.destroy());
      return form;
    },
  };
}

/** Waits for the first bytes: a file that cannot be read must not begin a request. */
async function opened(file: OutgoingFile): Promise<Readable> {
  const content = file.open();
  try {
    await new Promise<void>((resolve, reject) => {
      content.once('readable', resolve).once('end', resolve).once('error', reject);
    });
  } catch (cause) {
    throw new Error(`The file ${file.name} could not be read.`, { cause });
  }
  return content;
}

async function* concatenated(head: Buffer, content: Readable, tail: Buffer): AsyncGenerator<Buffer> {
  try {
    yield head;
    for await (const chunk of content) yield chunk as Buffer;
    yield tail;
  } finally {
    content.destroy();
  }
}

/** As browsers write it: the three characters that would end the name are percent-encoded. */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

const office = 'application/vnd.openxmlformats-officedocument';
const typeByEnding: Readonly<Record<string, string>> = {
  ...{ pdf: 'application/pdf', zip: 'application/zip', txt: 'text/plain', csv: 'text/csv' },
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif' },
  ...{ tif: 'image/tiff', tiff: 'image/tiff' },
  ...{ doc: 'application/msword', docx: `${office}.wordprocessingml.document` },
  ...{ xls: 'application/vnd.ms-excel', xlsx: `${office}.spreadsheetml.sheet` },
};
