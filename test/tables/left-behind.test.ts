import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderForEachTest } from '../builders/temporary-folder.ts';
import { root } from '../builders/workplace.ts';

const inFolder = folderForEachTest();
const script = join(root, 'test', 'tables', 'children', 'leave.mjs');

it('leaves no file behind when the process is left before the writer knows that the file is there', () => {
  execFileSync(process.execPath, [script, inFolder()]);
  expect(readdirSync(inFolder())).toEqual([]);
});
