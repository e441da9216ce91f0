/** The command line in a process of its own, which tells at its end how much memory it took. */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { environmentOf, main, root, type Workplace } from './workplace.ts';

const peakMemory = pathToFileURL(join(root, 'test', 'builders', 'peak-memory.mjs')).href;
const tellsItsPeak = `data:text/javascript,import{peakMegabytes}from'${peakMemory}';process.on('exit',()=>console.error('peak',peakMegabytes()))`;

export interface EndedWithPeak {
  readonly stdout: string;
  /** The most memory that the process held at once. */
  readonly peakMegabytes: number;
}

/**
 * Runs `dealsheet` with these words and a token, in a folder of its own.
 *
 * @param nodeWords  what Node is told before the command
 * @throws Error when the command ends with anything but 0
 */
export async function commandWithPeak(
  place: Workplace,
  words: readonly string[],
  nodeWords: readonly string[] = [],
): Promise<EndedWithPeak> {
  const { stdout, stderr } = await execa(process.execPath, [...nodeWords, '--import', tellsItsPeak, main, ...words], {
    cwd: place.folder,
    env: environmentOf(place.folder, { DEALSHEET_TOKEN: 'token' }),
    extendEnv: false,
    stdin: 'ignore',
  });
  return { stdout, peakMegabytes: Number(/^peak ([\d.]+)$/m.exec(stderr)?.[1]) };
}
