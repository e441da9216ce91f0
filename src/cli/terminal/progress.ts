/** How far something is: on the last line of a terminal, elsewhere in a line every few seconds. */
import { type RowState, rowStates } from '../../contract/row-state.ts';
import { secondsSince } from '../../seconds.ts';
import { rows } from './figures.ts';
import type { Terminal } from './terminal.ts';
import { endWaiting } from './waiting-line.ts';

/** Off a terminal, a line this often. */
export const plainLineIntervalMs = 5000;

export interface Meanwhile {
  tell(text: () => string): void;
  /** Nothing is told from here on; it may be called twice. */
  end(): void;
}

export function meanwhile(terminal: Terminal): Meanwhile {
  let latest: (() => string) | null = null;
  let isEnded = false;
  const say = () => {
    if (latest !== null && process.stderr.isTTY !== true) terminal.say(latest());
  };
  const timer = setInterval(say, plainLineIntervalMs).unref();
  return {
    tell: (text) => {
      if (isEnded) return;
      latest = text;
      terminal.wait(text);
    },
    end: () => {
      if (!isEnded) endWaiting();
      isEnded = true;
      clearInterval(timer);
    },
  };
}

export interface Progress {
  begin(total: number): void;
  row(state: RowState): void;
  end(): void;
}

export function loadProgress(terminal: Terminal): Progress {
  const line = meanwhile(terminal);
  const counts = new Map<RowState, number>();
  let [began, expected, done] = [0, 0, 0];
  /** `40 of 100 rows, 12 a second, 5 s left: 31 created, 9 rejected` */
  const told = (): string => {
    // A row with errors may be in as it was corrected before, and is then told beside those that were expected.
    const total = Math.max(expected, done);
    const speed = done / secondsSince(began);
    if (done === 0 || !Number.isFinite(speed)) return `${done} of ${rows(total)}`;
    const pace = speed < 1 ? `${Math.round(speed * minute)} a minute` : `${Math.round(speed)} a second`;
    const parts = [...counts].map(([state, count]) => `${count} ${rowStates[state].status.toLowerCase()}`);
    return `${done} of ${rows(total)}, ${pace}, ${duration((total - done) / speed)} left: ${parts.join(', ')}`;
  };
  return {
    begin: (total) => {
      began = performance.now();
      expected = total;
      line.tell(told);
    },
    row: (state) => {
      done += 1;
      counts.set(state, (counts.get(state) ?? 0) + 1);
      if (began !== 0) line.tell(told);
    },
    end: () => line.end(),
  };
}

/** In seconds. */
const minute = 60;
const hour = 60 * minute;

/** `75` to `1 min 15 s` */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < minute) return `${whole} s`;
  if (whole < hour) return `${Math.floor(whole / minute)} min ${whole % minute} s`;
  return `${Math.floor(whole / hour)} h ${Math.floor((whole % hour) / minute)} min`;
}
