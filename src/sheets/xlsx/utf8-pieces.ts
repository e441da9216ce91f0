/** The bytes of a part as text, whole characters at a time. */
import { damaged } from './zip-entries.ts';

/** @throws DealsheetError `unreadable-source` for bytes that are not UTF-8, or a DOCTYPE */
export async function* utf8Pieces(stream: AsyncIterable<Buffer>, part: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  try {
    for await (const chunk of stream) {
      const text = decoder.decode(chunk, { stream: true });
      if (isFirst) refuseForeign(text, part);
      isFirst = false;
      if (text.includes('<!'))
        throw damaged(`its part ${part} holds comments or declarations that no spreadsheet program writes`);
      yield text;
    }
    const rest = decoder.decode();
    if (rest !== '') yield rest;
  } catch (error) {
    if (error instanceof TypeError) throw damaged(`its part ${part} is not UTF-8`, error);
    throw error;
  }
}

function refuseForeign(text: string, part: string): void {
  const declared = /^\s*<\?xml[^>]*encoding=["']([^"']+)["']/i.exec(text)?.[1];
  if (declared !== undefined && !/^utf-?8$/i.test(declared))
    throw damaged(`its part ${part} is written in ${declared}`);
}
