/**
 * Tools and rights that some tests need, and not every machine has. Without them those tests are skipped.
 * Its one rule: where CI is set none of them is: a promise that is not tested there is tested nowhere, and nobody sees it.
 */
import { spawnSync } from 'node:child_process';

/** Whether a program runs here with these words. */
export function runs(program: string, ...words: readonly string[]): boolean {
  const isHere = spawnSync(program, words).status === 0;
  if (!isHere && (process.env.CI ?? '') !== '')
    throw new Error(`${[program, ...words].join(' ')} fails on this machine, and tests that need it would be skipped.`);
  return isHere;
}

export const mayMount = (): boolean => runs('unshare', '-m', 'true');
export const mayTrace = (): boolean => runs('strace', '-qq', '-o', '/dev/null', 'true');
export const maySetClock = (): boolean => runs('faketime', '-f', '@2030-01-01 00:00:00', 'true');
export const hasLibreOffice = (): boolean => runs('soffice', '--version');
export const hasOpenpyxl = (): boolean => runs('/usr/bin/python3', '-c', 'import openpyxl');

export const chromiumPath = '/usr/bin/chromium';
export const hasChromium = (): boolean => runs('test', '-x', chromiumPath);
