/** How far a load is: a bar on a terminal, plain lines elsewhere. */
import { type RowState, rowStates } from '../../contract/row-state.ts';
import { secondsSince } from '../../seconds.ts';
import { terminalBar } from './bar.ts';
import { rows } from './figures.ts';
import type { Terminal } from './terminal.ts';

export interface Progress {
  begin(total: number): void;
  row(state: RowState): void;
  /** Nothing is shown from here on, also when a row is told after it; it may be called twice. */
  end(): void;
}

/** Off a terminal, a line this often. */
export const plainLineIntervalMs = 5000;
const withoutRowsMs = 1000;

export function loadProgress(terminal: Terminal, options: { readonly quiet: boolean }): Progress {
  if (options.quiet) return { begin: () => {}, row: () => {}, end: () => {} };
  return process.stderr.isTTY === true ? barProgress() : plainProgress(terminal);
}

class Pace {
  #began = performance.now();
  #rows = 0;
  #total = 0;
  readonly #counts = new Map<RowState, number>();

  begin(total: number): void {
    this.#began = performance.now();
    this.#total = total;
  }

  row(state: RowState): void {
    this.#rows += 1;
    this.#counts.set(state, (this.#counts.get(state) ?? 0) + 1);
  }

  get rows(): number {
    return this.#rows;
  }

  /** A row with errors may be in as it was corrected before, and is then told beside those that were expected. */
  get total(): number {
    return Math.max(this.#total, this.#rows);
  }

  get seconds(): number {
    return secondsSince(this.#began);
  }

  /** `12 a second, 3 s left: 31 created, 2 rejected`, or nothing before the first row. */
  get told(): string {
    if (this.#rows === 0 || this.seconds === 0) return '';
    const counts = [...this.#counts].map(([state, count]) => `${count} ${rowStates[state].status.toLowerCase()}`);
    return `${this.#speed}, ${this.#timeLeft} left: ${counts.join(', ')}`;
  }

  get #rowsPerSecond(): number {
    return this.#rows / this.seconds;
  }

  get #speed(): string {
    return this.#rowsPerSecond < 1
      ? `${Math.round(this.#rowsPerSecond * minute)} a minute`
      : `${Math.round(this.#rowsPerSecond)} a second`;
  }

  get #timeLeft(): string {
    return duration((this.total - this.#rows) / this.#rowsPerSecond);
  }
}

function barProgress(): Progress {
  const pace = new Pace();
  const bar = terminalBar();
  const redraw = () => bar.show(pace.rows, pace.total, pace.told);
  let isUnderWay = false;
  // While no row is answered, the speed falls all the same.
  const withoutRows = setInterval(() => {
    if (bar.isShown) redraw();
  }, withoutRowsMs).unref();
  return {
    begin: (total) => {
      pace.begin(total);
      isUnderWay = true;
      redraw();
    },
    row: (state) => {
      pace.row(state);
      if (isUnderWay) redraw();
    },
    end: () => {
      isUnderWay = false;
      clearInterval(withoutRows);
      bar.end();
    },
  };
}

function plainProgress(terminal: Terminal): Progress {
  const pace = new Pace();
  const tell = () =>
    terminal.say([`${pace.rows} of ${rows(pace.total)}`, pace.told].filter((part) => part !== '').join(', '));
  let timer: NodeJS.Timeout | null = null;
  return {
    begin: (total) => {
      pace.begin(total);
      timer = setInterval(tell, plainLineIntervalMs);
      timer.unref();
    },
    row: (state) => pace.row(state),
    end: () => {
      if (timer !== null) clearInterval(timer);
    },
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
