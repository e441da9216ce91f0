import { readFileSync, writeFileSync } from 'node:fs';

const kilobytesOfMegabyte = 1024;

/**
 * The most memory that this process has held at once, in megabytes. What the system calls maxRSS can be that of the process
 * which started this one; Linux tells this one's own beside it.
 */
export function peakMegabytes() {
  return peakKilobytes() / kilobytesOfMegabyte;
}

/** Begins anew, where the system can: what was held before does not count. */
export function forgetPeak() {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // The most of all files is a bound for each of them, too.
  }
}

function peakKilobytes() {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}
