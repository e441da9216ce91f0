/** The runs in the ledger: who loaded what into which service, and when. Runs are ordered by number, never by time. */
import { randomInt } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { messageOf } from '../messages/text.ts';
import type { RunCounts, RunDescription, RunRecord } from './ledger.ts';
import { storedMessage, updates } from './schema.ts';
import type { BegunRun, Row, Statement, Steps } from './store.ts';

const columns: Readonly<Record<keyof RunRecord, string>> = {
  number: 'r.number',
  id: 'r.id',
  service: 's.name',
  serviceUrl: 'r.service_url',
  sourcePath: 'r.source_path',
  sourceName: 'r.source_name',
  origin: 'r.origin',
  sourceDigest: 'r.source_digest',
  resultsPath: 'r.results_path',
  options: 'r.options',
  person: 'r.person',
  host: 'r.host',
  state: 'r.state',
  startedAt: 'r.started_at',
  endedAt: 'r.ended_at',
};
const selectRuns = `SELECT ${Object.values(columns).join(', ')} FROM runs r JOIN services s ON s.number = r.service`;
export const allRuns = `${selectRuns} ORDER BY r.number DESC`;
export const oneRun = `${selectRuns} WHERE r.id = ?1`;

export function recordOf(values: Row): RunRecord {
  return Object.fromEntries(Object.keys(columns).map((name, at) => [name, values[at]])) as unknown as RunRecord;
}

export function* beginRun(description: RunDescription, service: number, startedAt: string): Steps<BegunRun> {
  const [[count] = []] = yield {
    sql: 'INSERT INTO days (day, runs) VALUES (?1, 1) ON CONFLICT (day) DO UPDATE SET runs = days.runs + 1 RETURNING runs',
    values: [dayOf(startedAt)],
  };
  const id = runId(startedAt, Number(count));
  const { serviceUrl, sourcePath, sourceName, origin, sourceDigest, resultsPath, options, person } = description;
  const ofSource = [serviceUrl, sourcePath, sourceName, origin, sourceDigest, resultsPath];
  const [[run] = []] = yield {
    sql: `INSERT INTO runs (id, service, service_url, source_path, source_name, origin, source_digest, results_path, options, person,
      host, state, started_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'running', ?12) RETURNING number`,
    values: [id, service, ...ofSource, options, person, hostname(), startedAt],
  };
  return { id, service, run: Number(run) };
}

export function markRunning(run: number): Statement {
  return { sql: `UPDATE runs SET state = 'running', ended_at = NULL WHERE number = ?1`, values: [run] };
}

const isOfService = `service = ?1 AND state = 'running'`;

export function runningIn(service: number): Statement {
  return { sql: `SELECT number FROM runs WHERE ${isOfService}`, values: [service] };
}

/** Stops the running runs of a service. Only for loads that are gone. */
export function stopLeftBehind(service: number, now: string): readonly Statement[] {
  return endRuns(isOfService, service, 'stopped', now);
}

export function endRun(run: number, state: 'stopped' | 'ended', now: string): readonly Statement[] {
  return endRuns('number = ?1', run, state, now);
}

/** Rows in flight become in doubt. Updates are marked to be repeated, because sending one twice has the same effect as sending it once. */
function endRuns(which: string, number: number, state: 'stopped' | 'ended', now: string): readonly Statement[] {
  const inDoubt = storedMessage(messageOf('left-in-doubt', { wasSentAgain: false }));
  const toRepeat = storedMessage(messageOf('left-to-repeat'));
  return [
    {
      sql: `UPDATE rows SET state = 'in-doubt', outcome = 'in-doubt', message = CASE kind WHEN '${updates}' THEN ?2 ELSE ?3 END
        WHERE state = 'sending' AND sheet IN
          (SELECT number FROM sheets WHERE run IN (SELECT number FROM runs WHERE ${which}))`,
      values: [number, toRepeat, inDoubt],
    },
    { sql: `UPDATE runs SET state = ?2, ended_at = ?3 WHERE ${which}`, values: [number, state, now] },
  ];
}

export function* runMoved(
  id: string,
  { sourcePath, resultsPath }: Pick<RunRecord, 'sourcePath' | 'resultsPath'>,
): Steps<void> {
  yield {
    sql: 'UPDATE runs SET source_path = ?2, results_path = ?3 WHERE id = ?1',
    values: [id, sourcePath, resultsPath],
  };
}

/** The services with running runs. Their processes may be gone. */
export const servicesOfRunning = `SELECT DISTINCT service FROM runs WHERE state = 'running'`;

export function serviceNumber(name: string): Steps<number> {
  return numberIn('services', { name });
}

export function sheetNumber(run: number, name: string): Steps<number> {
  return numberIn('sheets', { run, name });
}

function* numberIn(table: string, named: Readonly<Record<string, string | number>>): Steps<number> {
  const [names, values] = [Object.keys(named), Object.values(named)];
  const marks = names.map((_, at) => `?${at + 1}`);
  const [[number] = []] = yield {
    sql: `INSERT INTO ${table} (${names}) VALUES (${marks}) ON CONFLICT (${names}) DO UPDATE SET name = excluded.name RETURNING number`,
    values,
  };
  return Number(number);
}

const letters = 'bcdfghjkmnpqrstvwxz';
const letterCount = 4;

/**
 * Day, count and four random letters (`2026-11-20-01-kqtm`). The letters distinguish runs of other ledgers, whose results may be
 * imported here.
 */
function runId(startedAt: string, count: number): string {
  const byChance = Array.from({ length: letterCount }, () => letters[randomInt(letters.length)]).join('');
  return `${dayOf(startedAt)}-${String(count).padStart(2, '0')}-${byChance}`;
}

/** The user name of this process, or the user id where there is no name, as in a container. */
export function personHere(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'without a name'}`;
  }
}

/** The prefix of a sandbox's service identity, followed by the path of its data file. */
export const sandboxIdentity = 'sandbox:';

/** @param service  the identity of a service in the ledger */
export function isSandbox(service: string): boolean {
  return service.startsWith(sandboxIdentity);
}

/** How a person is told of a service. The sandbox may have another address each time. */
export function serviceText(service: string, address: URL): string {
  return isSandbox(service) ? 'the sandbox' : address.href;
}

/** `2026-11-21T22:46:46.409Z` to `2026-11-21` */
export function dayOf(moment: string): string {
  return moment.slice(0, 'YYYY-MM-DD'.length);
}

/** `2026-11-21T22:46:46.409Z` to `2026-11-21 22:46` */
export function minuteOf(moment: string): string {
  return moment.slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ');
}

/** Whether a resume may send rows of a run. Rows that wait for a row in doubt go out once that is settled. */
export function canGoOn(counts: RunCounts): boolean {
  const { 'in-doubt': doubts, waiting } = counts;
  return isUnfinished(counts) || (waiting !== undefined && doubts === undefined);
}

/** Whether rows of a run that ends are left to send. Those that wait are not: their parents have had their turn. */
export function isUnfinished(counts: RunCounts): boolean {
  return (['sending', 'failed', 'not-sent', 'ready'] as const).some((state) => counts[state] !== undefined);
}
