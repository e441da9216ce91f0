/**
 * Tools and rights that some tests need, and not every machine has. Without them those tests are skipped; where all tools were
 * installed for the tests (`DEALSHEET_TOOLS=installed`), one that does not run fails them.
 */
import { spawnSync } from 'node:child_process';

/** Whether a program runs here with these words. */
export function runs(program: string, ...words: readonly string[]): boolean {
  const isHere = allows(program, ...words);
  if (!isHere && process.env.DEALSHEET_TOOLS === 'installed')
    throw new Error(`${[program, ...words].join(' ')} fails on this machine, and tests that need it would be skipped.`);
  return isHere;
}

/** The same of what needs a right that a machine may withhold, however much is installed. */
function allows(program: string, ...words: readonly string[]): boolean {
  return spawnSync(program, words).status === 0;
}

export const mayMount = (): boolean => allows('unshare', '-m', 'true');
/** Words of `strace` that have it stop all threads of a program at the calls that it looks at, and at no others. */
export const tracing = ['-f', '--seccomp-bpf'];
export const mayTrace = (): boolean => allows('strace', ...tracing, '-qq', '-o', '/dev/null', 'true');
export const maySetClock = (): boolean => runs('faketime', '-f', '@2030-01-01 00:00:00', 'true');
export const hasLibreOffice = (): boolean => runs('soffice', '--version');
export const hasOpenpyxl = (): boolean => runs('/usr/bin/python3', '-c', 'import openpyxl');

export const chromiumPath = '/usr/bin/chromium';
const quiet = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update'];
export const chromiumFlags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-sync', ...quiet];
export const hasChromium = (): boolean => runs('test', '-x', chromiumPath);
