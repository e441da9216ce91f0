/**
 * A load as a file of events, one JSON object a line, for those who watch schedules. Its one rule: no value of a row, no token
 * and no message of the service stands in it.
 */
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { DealsheetError, isDealsheetError, obstacleText } from '../../errors.ts';
import { ownerOnly } from '../../file-modes.ts';
import type { SendingEvents, SendingResult } from '../../load/sending.ts';
import { countsByCode } from '../../mapping/finding-groups.ts';
import { type KeptFile, needWritable } from '../../report/output-guard.ts';
import { rounded } from '../../seconds.ts';
import { type ServiceEvents, silentEvents } from '../../service/events.ts';
import { firstLineOf, isEventLine } from '../../staging/source/file-beginning.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { exitCodeSeen } from '../terminal/hang-up.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface EventLog {
  /** What the client tells. */
  readonly service: ServiceEvents;
  /** The same events, written down on their way. */
  watch(events: SendingEvents): SendingEvents;
  /** The last event. */
  end(result: SendingResult | null, exitCode: number): void;
  /** The last event of a load that came to nothing, or broke off: the run, where one had begun. */
  fail(run: string | null, error: unknown): void;
  /** Writes what was gathered, also after an error. */
  close(): void;
}

/**
 * Opens a log, or stands for none.
 *
 * @param path  the file, which is added to when it is a log, or `undefined`
 * @param kept  what no event may be written into
 * @throws DealsheetError `usage` when the file cannot be written, or is no log
 */
export async function openEventLog(
  path: string | undefined,
  kept: readonly KeptFile[],
  terminal: Terminal,
): Promise<EventLog> {
  if (path === undefined) return noLog;
  const isEarlier = () => isEventLine(firstLineOf(path));
  await needWritable({ path, flag: '--log', kept, what: 'log', isEarlier });
  return new FileLog(path, terminal);
}

const noLog: EventLog = {
  service: silentEvents,
  watch: (events) => events,
  end: () => {},
  fail: () => {},
  close: () => {},
};

/** Rows are gathered: a write for each would cost as much as the rest of it. */
const rowsInWrite = 200;

class FileLog implements EventLog {
  readonly service: ServiceEvents = {
    onPace: ({ inFlight }) => this.#tell('pace', { inFlight }),
    onRetry: ({ attempt, waitMs }) => this.#tell('retry', { attempt, waitMs: Math.round(waitMs) }),
    onWait: ({ milliseconds, code, status }) => this.#tell('wait', { milliseconds, code, status }),
    onLost: ({ milliseconds }) => this.#tell('lost', { milliseconds }),
    onStop: ({ code }) => this.#tell('stop', { code }),
  };
  readonly #path: string;
  readonly #terminal: Terminal;
  #waiting: string[] = [];
  #isBroken = false;

  constructor(path: string, terminal: Terminal) {
    this.#path = path;
    this.#terminal = terminal;
    try {
      closeSync(openSync(path, 'a', ownerOnly));
    } catch (cause) {
      throw new DealsheetError(
        'usage',
        `The log cannot be written to ${path}${obstacleText(cause)}.`,
        'Name another place with --log. Nothing was sent.',
        { cause },
      );
    }
  }

  watch(events: SendingEvents): SendingEvents {
    return {
      ...events,
      onHealth: (health) => {
        this.#tell('health', { state: health.state });
        events.onHealth(health);
      },
      onBegin: (run, preview) => {
        const sheets = preview.sheets.map(({ kind, rows, staying }) => ({
          kind: kind.name,
          rows,
          invalidRows: staying.invalid ?? 0,
        }));
        const findings = countsByCode(preview.sheets.flatMap((sheet) => sheet.findings));
        this.#tell('begin', { run, sheets, findings });
        events.onBegin(run, preview);
      },
      onRow: (event) => {
        const { sheet, row, state, code } = event;
        this.#add('row', { sheet, row, state, code });
        if (this.#waiting.length >= rowsInWrite) this.#write();
        events.onRow(event);
      },
      onReport: () => {
        this.#tell('report', {});
        events.onReport();
      },
    };
  }

  end(result: SendingResult | null, exitCode: number): void {
    const { run = null, counts = null, seconds = null } = result ?? {};
    this.#tell('end', {
      run,
      exitCode: exitCodeSeen(exitCode),
      seconds: seconds === null ? null : rounded(seconds),
      counts,
    });
  }

  fail(run: string | null, error: unknown): void {
    this.#tell('end', { run, seconds: null, counts: null, ...failureOf(error) });
  }

  close(): void {
    this.#write();
  }

  #tell(event: string, facts: Readonly<Record<string, unknown>>): void {
    this.#add(event, facts);
    this.#write();
  }

  #add(event: string, facts: Readonly<Record<string, unknown>>): void {
    this.#waiting.push(`${JSON.stringify({ time: new Date().toISOString(), event, ...facts })}\n`);
  }

  /** A log that can no longer be written is told once, and does not stop a load that is under way. */
  #write(): void {
    const text = this.#waiting.join('');
    this.#waiting = [];
    if (this.#isBroken || text === '') return;
    try {
      appendFileSync(this.#path, text);
    } catch (error) {
      this.#isBroken = true;
      const why = error instanceof Error ? error.message : 'unknown';
      this.#terminal.warn(`The log ${this.#path} can no longer be written (${why}). The load goes on without it.`);
    }
  }
}

function failureOf(error: unknown): { readonly exitCode: number; readonly error: string } {
  if (isDealsheetError(error)) return { exitCode: exitCodeSeen(error.exitCode), error: error.code };
  return { exitCode: exitCodeSeen(exitCodes.stopped), error: 'unexpected' };
}
