/** How far the heap may grow. Its one rule: memory is given up only where it buys no speed. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * New objects get two halves of 16 MB, at which Node 20 and 22 end by themselves. Node 24 goes on to 64, by which a load of
 * 100,000 rows took 300 MB and not 206 to 224, for the same CPU. Halves of 8 MB would cost 9 % of it.
 */
export const mostMegabytesOfHalf = 16;
const mostOfNewObjects = 2 * mostMegabytesOfHalf * 1024 * 1024;
/**
 * Some 5 MB are allocated in that time: the halves never double twice. At 100 ms they did now and then: of five loads of 100,000
 * rows on Node 24, two took 225 and 249 MB, the others 205 to 207.
 */
const betweenLooksMs = 20;

/**
 * A load has some 20 MB alive at any time, and by default V8 lets garbage grow to four times that. Collecting once it is 40 %
 * more keeps 300,000 rows at 190 MB in place of 209 at twice (Node 24: 200 in place of 237), for the same CPU.
 */
export const growthFlag = '--heap-growing-percent=40';

export function limitHeapGrowth(): void {
  setFlagsFromString(growthFlag);
  // The size itself can be set only before the program starts; whether it grows is asked each time. V8 takes the halves back
  // where little is allocated, as at a service of a low rate: they may grow again.
  setInterval(() => {
    setFlagsFromString(`--semi-space-growth-factor=${sizeOfNewObjects() < mostOfNewObjects ? 2 : 1}`);
  }, betweenLooksMs).unref();
}

function sizeOfNewObjects(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}
