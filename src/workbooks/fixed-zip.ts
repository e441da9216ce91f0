/** A zip packed again without the times of its entries, so that the same content gives the same bytes. */
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { ZipWriter } from '../sheets/xlsx/zip-writer.ts';

const usualCompression = 6;

export async function withoutClock(bytes: Buffer): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const packed = new ZipWriter(usualCompression, async (piece) => void pieces.push(piece));
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    const content = await buffer(await zip.openReadStreamPromise(entry));
    const to = await packed.begin(entry.fileName);
    await to.write(content);
    await to.end();
  }
  await packed.end();
  return Buffer.concat(pieces);
}
