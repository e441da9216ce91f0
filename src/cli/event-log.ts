/**
 * A load as a file of events, one JSON object a line, for those who watch schedules. Its one rule: no value of a row, no token
 * and no message of the service stands in it.
 */
import { appendFileSync } from 'node:fs';
import { obstacleText, usageError } from '../errors.ts';
import { ownerOnly } from '../file-modes.ts';
import type { SendingEvents } from '../load/sending.ts';
import { countsByCode } from '../mapping/finding-groups.ts';
import { type KeptFile, needWritable } from '../report/output-guard.ts';
import { rounded } from '../seconds.ts';
import type { ServiceEvents } from '../service/outcome.ts';
import type { LoadEnd } from './notify.ts';
import type { Terminal } from './terminal.ts';

export interface EventLog {
  /** What the client tells. */
  readonly service: ServiceEvents;
  watch(events: SendingEvents): SendingEvents;
  /** The last event: also of a load that came to nothing, or broke off. */
  end(end: LoadEnd): void;
}

/** Rows are gathered: a write for each would cost as much as the rest of it. */
const rowsInWrite = 200;

/**
 * Opens a log. Without a path, it does nothing.
 *
 * @param path  the file, which is added to when it is a log
 * @param kept  what no event may be written into
 */
export async function openEventLog(
  path: string | undefined,
  kept: readonly KeptFile[],
  terminal: Terminal,
): Promise<EventLog> {
  if (path !== undefined) await needLog(path, kept);
  let file = path ?? null;
  let waiting = '';
  let count = 0;
  /** A log that can no longer be written is told once, and stops no load. */
  const tell = (event: string, facts: Readonly<Record<string, unknown>>, mostWaiting = 1) => {
    if (file === null) return;
    waiting += `${JSON.stringify({ time: new Date().toISOString(), event, ...facts })}\n`;
    count += 1;
    if (count < mostWaiting) return;
    try {
      appendFileSync(file, waiting);
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unknown';
      terminal.warn(`The log ${file} can no longer be written (${why}). The load goes on without it.`);
      file = null;
    }
    waiting = '';
    count = 0;
  };
  return {
    service: {
      onPace: ({ inFlight }) => tell('pace', { inFlight }),
      onRetry: ({ attempt, waitMs }) => tell('retry', { attempt, waitMs: Math.round(waitMs) }),
      onWait: ({ milliseconds, code, status }) => tell('wait', { milliseconds, code, status }),
      onLost: ({ milliseconds }) => tell('lost', { milliseconds }),
      onStop: ({ code }) => tell('stop', { code }),
    },
    watch: (events) => ({
      ...events,
      onHealth: (health) => {
        tell('health', { state: health.state });
        events.onHealth(health);
      },
      onBegin: (run, preview) => {
        const sheets = preview.sheets.map(({ kind, rows, staying }) => ({
          kind: kind.name,
          rows,
          invalidRows: staying.invalid ?? 0,
        }));
        tell('begin', { run, sheets, findings: countsByCode(preview.sheets.flatMap((sheet) => sheet.findings)) });
        events.onBegin(run, preview);
      },
      onRow: (event) => {
        const { sheet, row, state, code } = event;
        tell('row', { sheet, row, state, code }, rowsInWrite);
        events.onRow(event);
      },
      onReport: () => {
        tell('report', {});
        events.onReport();
      },
    }),
    end: ({ run, exitCode, seconds, counts, error }) => {
      const time = seconds === null ? null : rounded(seconds);
      tell('end', { run, exitCode, seconds: time, counts, ...(error !== null && { error }) });
    },
  };
}

async function needLog(path: string, kept: readonly KeptFile[]): Promise<void> {
  const { firstLineOf, isEventLine } = await import('../export/export-file.ts');
  const isEarlier = () => isEventLine(firstLineOf(path));
  await needWritable({ path, flag: '--log', kept, what: 'log', isEarlier });
  try {
    appendFileSync(path, '', { mode: ownerOnly });
  } catch (cause) {
    const message = `The log cannot be written to ${path}${obstacleText(cause)}.`;
    throw usageError(message, 'Name another place with --log. Nothing was sent.', cause);
  }
}
