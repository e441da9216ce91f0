/** A zip packed again with one time for all of its entries, so that the same content gives the same bytes. */
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';

export async function withoutClock(bytes: Buffer, time: Date): Promise<Buffer> {
  const packed = new ZipFile();
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    const content = await buffer(await zip.openReadStreamPromise(entry));
    packed.addBuffer(content, entry.fileName, { mtime: time, mode: 0o100644, forceDosTimestamp: true });
  }
  packed.end();
  return buffer(packed.outputStream);
}
