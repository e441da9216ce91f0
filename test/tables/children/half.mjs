/** Writes half a file that all may read once it is whole, tells so, and waits to be killed. SIGTERM: gives it up. Words: the path. */
import { writeSync } from 'node:fs';
import { openTemporaryFile } from '../../../dist/disk/temporary-file.js';

const file = await openTemporaryFile(process.argv[2], 0o644);
await file.write(Buffer.from('219-09-9999'));
writeSync(1, 'half\n');
process.on('SIGTERM', () => file.remove().then(() => process.exit()));
setInterval(() => {}, 1000);
