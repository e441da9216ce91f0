/**
 * A load as a file of events, one JSON object a line, for those who watch schedules. Its one rule: no value of a row, no token
 * and no message of the service stands in it.
 */
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { DealsheetError, obstacleText } from '../../errors.ts';
import { ownerOnly } from '../../file-modes.ts';
import type { SendingEvents, SendingResult } from '../../load/sending.ts';
import { countsByCode } from '../../mapping/finding-groups.ts';
import { type KeptFile, needWritable } from '../../report/output-guard.ts';
import { rounded } from '../../seconds.ts';
import type { ServiceEvents } from '../../service/client.ts';
import { firstLineOf, isEventLine } from '../../staging/source/file-beginning.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Rows are gathered: a write for each would cost as much as the rest of it. */
const rowsInWrite = 200;

export class EventLog {
  #path: string | null;
  readonly #terminal: Terminal;
  #waiting: string[] = [];

  /** @param path  `null` for no log */
  private constructor(path: string | null, terminal: Terminal) {
    this.#path = path;
    this.#terminal = terminal;
  }

  /**
   * Opens a log. Without a path, it does nothing.
   *
   * @param path  the file, which is added to when it is a log, or `undefined`
   * @param kept  what no event may be written into
   * @throws DealsheetError `usage` when the file cannot be written, or is no log
   */
  static async open(path: string | undefined, kept: readonly KeptFile[], terminal: Terminal): Promise<EventLog> {
    if (path === undefined) return new EventLog(null, terminal);
    const isEarlier = () => isEventLine(firstLineOf(path));
    await needWritable({ path, flag: '--log', kept, what: 'log', isEarlier });
    try {
      closeSync(openSync(path, 'a', ownerOnly));
    } catch (cause) {
      const message = `The log cannot be written to ${path}${obstacleText(cause)}.`;
      throw new DealsheetError('usage', message, 'Name another place with --log. Nothing was sent.', { cause });
    }
    return new EventLog(path, terminal);
  }

  /** What the client tells. */
  readonly service: ServiceEvents = {
    onPace: ({ inFlight }) => this.#tell('pace', { inFlight }),
    onRetry: ({ attempt, waitMs }) => this.#tell('retry', { attempt, waitMs: Math.round(waitMs) }),
    onWait: ({ milliseconds, code, status }) => this.#tell('wait', { milliseconds, code, status }),
    onLost: ({ milliseconds }) => this.#tell('lost', { milliseconds }),
    onStop: ({ code }) => this.#tell('stop', { code }),
  };

  /** The same events, written down on their way. */
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
        this.#tell('row', { sheet, row, state, code }, rowsInWrite);
        events.onRow(event);
      },
      onReport: () => {
        this.#tell('report', {});
        events.onReport();
      },
    };
  }

  /** The last event. */
  end(result: SendingResult | null, exitCode: number): void {
    const { run = null, counts = null, seconds = null } = result ?? {};
    const time = seconds === null ? null : rounded(seconds);
    this.#tell('end', { run, exitCode, seconds: time, counts });
  }

  /** The last event of a load that came to nothing, or broke off: the run, where one had begun. */
  fail(run: string | null, { exitCode, code }: { readonly exitCode: number; readonly code: string }): void {
    this.#tell('end', { run, seconds: null, counts: null, exitCode, error: code });
  }

  /** Writes what was gathered. A log that can no longer be written is told once, and stops no load. */
  flush(): void {
    const text = this.#waiting.join('');
    this.#waiting = [];
    if (this.#path === null || text === '') return;
    try {
      appendFileSync(this.#path, text);
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unknown';
      this.#terminal.warn(`The log ${this.#path} can no longer be written (${why}). The load goes on without it.`);
      this.#path = null;
    }
  }

  /** @param mostWaiting  it is written once so many events have gathered */
  #tell(event: string, facts: Readonly<Record<string, unknown>>, mostWaiting = 1): void {
    if (this.#path === null) return;
    this.#waiting.push(`${JSON.stringify({ time: new Date().toISOString(), event, ...facts })}\n`);
    if (this.#waiting.length >= mostWaiting) this.flush();
  }
}
