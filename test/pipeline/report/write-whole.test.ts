import { lstatSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeWhole } from '../../../src/pipeline/report/write-whole.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-whole-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a small new file', () => {
  it('leaves a link to a place that cannot be reached where it was', () => {
    const link = join(folder, 'template.xlsx');
    symlinkSync(join(folder, 'unmounted', 'template.xlsx'), link);
    expect(() => writeWhole(link, 'x')).toThrow('ENOENT');
    expect(lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()).toBe(true);
  });
});
