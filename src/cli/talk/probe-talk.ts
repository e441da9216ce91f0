/** What a person is shown of one request and its answer, and what is proposed for the profile. */
import type { RecordKind } from '../../contract/record-kind.ts';
import { type RowState, rowStates } from '../../contract/row-state.ts';
import type { RunEntry } from '../../ledger/ledger.ts';
import type { SendingResult } from '../../load/sending.ts';
import { toldCommand } from '../../messages/commands.ts';
import type { Message } from '../../messages/message.ts';
import { probeMessage } from '../../messages/probe.ts';
import { textOf } from '../../messages/text.ts';
import type { ReadResult } from '../../service/client.ts';
import type { Exchange } from '../../service/exchange.ts';
import { goByRecords, proposedLine } from '../../service/proposal.ts';
import { placeOf } from '../../staging/row-place.ts';
import type { FoundProfile } from '../settings/configuration.ts';
import { declareAnswers } from '../settings/declared-answers.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { JsonAnswer } from './json-answer.ts';

export interface ProbedRow {
  readonly sheet: string;
  readonly row: number;
  readonly kind: RecordKind;
  readonly state: RowState;
  /** What the ledger has of the row by this run, or `null`. */
  readonly entry: RunEntry | null;
  readonly exchange: Exchange | null;
  readonly result: SendingResult | null;
  readonly errors: readonly string[];
}

interface Talk {
  readonly terminal: Terminal;
  readonly answer: JsonAnswer;
  readonly service: string;
}

interface RowTalk extends Talk {
  readonly profile: FoundProfile | null;
  /** Whether the proposal is written without a question. */
  readonly isWritten: boolean;
}

export async function tellRow(row: ProbedRow, talk: RowTalk): Promise<void> {
  const { terminal, answer, service } = talk;
  const { exchange, entry, result, kind } = row;
  const verdict = verdictOf(row);
  const declared = exchange?.proposal ?? null;
  for (const line of row.errors) terminal.say(line);
  show(exchange, verdict, terminal);
  if (declared !== null) terminal.say(textOf(probeMessage('probe-proposal', { line: proposedLine(kind, declared) })));
  const written = await writtenInto(row, talk);
  if (written !== null) terminal.say(textOf(probeMessage('probe-written', { file: written })));
  if (row.state === 'in-doubt' && isSent(entry) && result?.run != null) {
    const command = toldCommand('resolve', result.run, '--row', placeOf(row));
    terminal.say(textOf(probeMessage('probe-resolve', { command })));
  }
  if (result !== null) terminal.say(`Results: ${result.results}`);
  answer.give(
    JSON.stringify({
      service,
      run: result?.run ?? null,
      file: result?.file ?? null,
      results: result?.results ?? null,
      row: { sheet: row.sheet, row: row.row, kind: kind.name },
      ...exchangeJson(exchange),
      verdict: { state: row.state, code: entry?.message?.code ?? verdict.code, id: entry?.record ?? null },
      proposal: declared === null ? null : { answers: { [kind.name]: declared } },
      written,
    }),
  );
}

interface ProbedRead {
  readonly id: string;
  readonly exchange: Exchange | null;
  readonly result: ReadResult;
}

export function tellRead({ id, exchange, result }: ProbedRead, { terminal, answer, service }: Talk): void {
  const why = result.state === 'found' ? result.noRecord : result.message;
  const verdict = why === null ? probeMessage('probe-record', { id }) : probeMessage('probe-no-record', { why });
  show(exchange, verdict, terminal);
  const state = result.state === 'found' && why !== null ? 'no-record' : result.state;
  const told = { state, code: why?.code ?? verdict.code, id: why === null ? id : null };
  answer.give(JSON.stringify({ service, ...exchangeJson(exchange), verdict: told, proposal: null, written: null }));
}

function verdictOf({ state, entry, sheet, row }: ProbedRow): Message {
  const why = entry?.message ?? null;
  if (state === 'invalid') return probeMessage('probe-invalid', { sheet, row });
  if (!isSent(entry)) return probeMessage('probe-not-sent', { why });
  if (entry !== null && rowStates[entry.state].isIn) return probeMessage('probe-yes', { id: entry.record, why });
  if (state === 'rejected') return probeMessage('probe-no', { why });
  // The answer itself is shown: it is not repeated in the reason.
  const shortly = why === null || !('reason' in why.params) ? why : { ...why, params: { ...why.params, reason: null } };
  return probeMessage('probe-doubt', { why: shortly });
}

function isSent(entry: RunEntry | null): boolean {
  return entry !== null && entry.attempts > 0;
}

/** What is shown on a terminal; `--json` has the same in its object. */
function show(exchange: Exchange | null, verdict: Message, terminal: Terminal): void {
  if (exchange !== null) {
    const { method, path, request, status, answer } = exchange;
    const sent = request === null ? '' : `\n${JSON.stringify(request, null, 2)}`;
    terminal.say(`${method} ${path}${sent}\n\n${status}\n${JSON.stringify(answer, null, 2)}\n`);
  }
  terminal.say(textOf(verdict));
}

function exchangeJson(exchange: Exchange | null): object {
  if (exchange === null) return { request: null, answer: null };
  const { method, path, request, status, answer } = exchange;
  return { request: { method, path, body: request }, answer: { status, body: answer } };
}

/** The file into which the proposal was written, or `null`. */
async function writtenInto(
  { exchange, kind }: ProbedRow,
  { profile, isWritten, terminal }: RowTalk,
): Promise<string | null> {
  const declared = exchange?.proposal ?? null;
  if (declared === null || profile === null) return null;
  const isMeant =
    (isWritten && goByRecords(declared)) ||
    (terminal.isInteractive && (await terminal.ask(`Declare it in ${profile.file}?`)));
  return isMeant ? declareAnswers(profile, kind.name, declared) : null;
}
