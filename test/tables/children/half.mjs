/** Writes halves of files that all may read once they are whole, tells so, and waits to be killed. SIGTERM: gives the first up. Words: the paths. */
import { writeSync } from 'node:fs';
import { openTemporaryFile } from '../../../dist/disk/temporary-file.js';

const files = [];
for (const path of process.argv.slice(2)) files.push(await openTemporaryFile(path, 0o644));
for (const file of files) await file.write(Buffer.from('219-09-9999'));
process.on('SIGTERM', () => files[0].remove().then(() => process.exit()));
writeSync(1, 'half\n');
setInterval(() => {}, 1000);
