import { lstatSync, symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { writeWhole } from '../../src/disk/output-guard.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';

const inFolder = folderForEachTest();

it('a small new file leaves a link to a place that cannot be reached where it was', () => {
  const link = inFolder('template.xlsx');
  symlinkSync(inFolder('unmounted', 'template.xlsx'), link);
  expect(() => writeWhole(link, 'x')).toThrow('ENOENT');
  expect(lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()).toBe(true);
});
