/** `dealsheet probe`: sends the one row that a person chooses, or reads one record, and explains the answer. */
import { recordKinds } from '../../contract/record-kinds.ts';
import { emptyCounts, type RowState, rowStates } from '../../contract/row-state.ts';
import { exitCodeOf } from '../../errors.ts';
import type { RunEntry } from '../../ledger/ledger.ts';
import { plainImport } from '../../load/defaults.ts';
import type { SendingEvents } from '../../load/sending.ts';
import { isError } from '../../messages/finding.ts';
import type { Message } from '../../messages/message.ts';
import { errorOf, messageOf, textOf } from '../../messages/text.ts';
import { FindingGroups } from '../../plan/finding-groups.ts';
import type { Preview } from '../../plan/preview.ts';
import type { ServiceClient } from '../../service/client.ts';
import { isIdOf, proposedLine } from '../../service/exchange.ts';
import type { Exchange } from '../../service/outcome.ts';
import { declareAnswers } from '../../settings/configuration.ts';
import { addressFlags, type Flags, paceFlags } from '../../settings/flags.ts';
import { withLedger } from '../../settings/ledger-choice.ts';
import { chooseService, refuseUnapproved, type ServiceSession } from '../../settings/service.ts';
import { placeOf, positionOf } from '../../staging/own-columns.ts';
import type { RowData } from '../../staging/staged-row.ts';
import { command, optionalPositional, positional } from '../command.ts';
import { exitCodeOfRun, exitCodes } from '../command-end.ts';
import { type FileFlags, readingFlags, remembering, sendingOptions } from '../load-command.ts';
import { askService, duringLoad, type LoadDialog, sendingEvents, tellPauses, toSendOf } from '../load-dialog.ts';
import { findingLines } from '../load-text.ts';
import { needConfirmation, type Terminal } from '../terminal.ts';

export const probeCommand = command({
  examples: [
    ['dealsheet probe deals.csv --row 2 --profile live', 'send only row 2, and see what the answer means'],
    ['dealsheet probe deals.csv --row 2 --profile live --yes --write', 'and declare its answer in the profile'],
    ['dealsheet probe deals deal_000001 --profile live', 'read a deal: nothing is sent'],
  ],
  positionals: {
    file: positional('The CSV or XLSX file of the row; or deals or companies, followed by an id'),
    id: optionalPositional('The id of the record to read'),
  },
  flags: [...readingFlags, ...addressFlags, ...paceFlags, 'row', 'write', 'yes', 'sandbox-data', 'json'],
  own: { row: { describe: 'The row to send, by its number in the sheet, or as SHEET!N' } },
  run: async ({ id, row: typed, ...flags }, terminal, answer) => {
    const choice = chooseService(flags);
    if (flags.write && choice.chosen === null) throw errorOf('probe-without-profile');
    const dialog = { terminal, answer, choice };
    if (id !== undefined) return readOne(id, flags, dialog);
    const at = positionOf(typed ?? '');
    const row = at?.row ?? Number(typed);
    if (!Number.isSafeInteger(row) || row <= 0) throw errorOf('probe-without-row', { typed: typed ?? null });
    refuseUnapproved(choice);
    needConfirmation(flags, terminal);
    return sendOne({ ...flags, sheet: at?.sheet ?? flags.sheet }, row, dialog);
  },
});

type Asked = Pick<LoadDialog, 'terminal' | 'answer' | 'choice'>;

/** A load of this one row, with intent, run and results, so that a later load of the file recognizes it. */
async function sendOne(flags: FileFlags, row: number, { terminal, answer, choice }: Asked): Promise<number> {
  const { importFile } = await import('../../load/import-file.ts');
  const remember = remembering(flags, terminal);
  return withLedger(flags, (ledger) =>
    duringLoad({ terminal, answer, ledger, flags, choice }, async (dialog) => {
      const seen: { exchange: Exchange | null; row: RowData | null } = { exchange: null, row: null };
      const connect = () => dialog.connect({ onExchange: (exchange) => void Object.assign(seen, { exchange }) });
      const options = {
        ...plainImport,
        ...sendingOptions({ ...flags, sheet: undefined }, choice, dialog),
        limit: { sheet: flags.sheet ?? null, row },
      };
      const events = sendingEvents(dialog);
      const confirm: SendingEvents['confirm'] = async (preview, mapping) => {
        seen.row = rowNamed(preview, row, flags);
        const isToSend = flags.yes || toSendOf(preview) > 0;
        const isAgreed = seen.row.isValid && isToSend && (await events.confirm(preview, mapping));
        if (isAgreed) remember();
        return isAgreed;
      };
      const result = await importFile(options, connect, ledger, { ...events, confirm });
      const { exchange, row: found } = seen;
      if (found === null) throw new Error('No row was looked for.');
      const { sheet, kind } = found;
      const run = result?.run ?? null;
      const [entry = null] = run === null ? [] : await ledger.entries(run, sheet, row - 1, 1);
      const state = entry?.state ?? (found.isValid ? 'not-sent' : 'invalid');
      const sent = (entry?.attempts ?? 0) > 0 ? entry : null;
      const why = entry?.message ?? null;
      const conclusion = conclusionOf(found, state, sent, why);
      const errors = new FindingGroups();
      errors.add(found, found.problems.filter(isError));
      for (const line of findingLines(errors.found)) terminal.say(line);
      show(exchange, conclusion, terminal);
      const proposed = exchange?.proposal ?? null;
      // A stop at the only row of the run leaves nothing to resume.
      const stopReason =
        result?.stopReason?.message.code === 'stopped-undeclared' ? null : (result?.stopReason ?? null);
      const status = exchange?.status ?? 0;
      const isUndeclared = state === 'in-doubt' && stopReason === null && status >= 200 && status < 300;
      if (proposed !== null || isUndeclared)
        terminal.say(
          textOf(messageOf('probe-proposal', { line: proposedLine(kind, proposed, status, choice.contract) })),
        );
      // A flag alone may also mean no, and another id may be that of the request: only the service shows it.
      const hasId = (proposed?.id ?? []).some((path) => isIdOf(kind, path));
      const profile = flags.write && hasId ? choice.chosen : null;
      const written = profile && proposed && (await declareAnswers(profile, kind.name, proposed));
      if (written !== null) terminal.say(textOf(messageOf('probe-written', { file: written })));
      if (state === 'in-doubt' && sent !== null && run !== null)
        terminal.say(textOf(messageOf('probe-resolve', { run, place: placeOf(found) })));
      const { file = null, results = null, unwritten = null } = result ?? {};
      if (unwritten !== null) terminal.warn(`${unwritten.message}\n${unwritten.remedy}`);
      if (results !== null) terminal.say(`Results: ${results}`);
      answer.give({
        service: dialog.session.url.href,
        run,
        file,
        results,
        row: { sheet, row, kind: kind.name },
        ...exchangeJson(exchange),
        verdict: { state, code: why?.code ?? conclusion.code, id: sent?.record ?? null },
        proposal: proposed === null ? null : { answers: { [kind.name]: proposed } },
        written,
      });
      if (!found.isValid) return exitCodes.failedChecks;
      if (result === null) return exitCodes.usage;
      const counts = { ...emptyCounts(), rows: 1, [rowStates[state].count]: 1 };
      return exitCodeOfRun({ ...result, counts, stopReason });
    }),
  );
}

function rowNamed(preview: Preview, row: number, { sheet }: Flags): RowData {
  const sheets = preview.sheets.filter(({ name }) => sheet === undefined || name === sheet);
  const data = sheets.length === 1 ? preview.rowAt(sheets[0]?.name ?? '', row) : null;
  if (data !== null) return data;
  const names = preview.sheets.map(({ name }) => name);
  throw errorOf('probe-unknown-row', { row, isSeveral: sheets.length > 1, sheets: names });
}

async function readOne(id: string, flags: FileFlags, { terminal, answer, choice }: Asked): Promise<number> {
  const { file: what } = flags;
  const kind = recordKinds.find(({ name, readBy }) => name === what && readBy !== undefined);
  if (kind === undefined) throw errorOf('probe-unreadable-kind', { what });
  const exchanges: Exchange[] = [];
  const events = { ...tellPauses(terminal), onExchange: (one: Exchange) => void exchanges.push(one) };
  const ask = async (client: ServiceClient, { url }: ServiceSession) => {
    return { result: await client.read(kind, id), service: url.href };
  };
  const { result, service } = await askService(choice, terminal, ask, events);
  const exchange = exchanges.at(-1) ?? null;
  const why = result.state === 'found' ? result.noRecord : result.message;
  const conclusion = why === null ? messageOf('probe-record', { id }) : messageOf('probe-no-record', { why });
  show(exchange, conclusion, terminal);
  const state = result.state === 'found' && why !== null ? 'no-record' : result.state;
  const reached = { state, code: why?.code ?? conclusion.code, id: why === null ? id : null };
  answer.give({ service, ...exchangeJson(exchange), verdict: reached, proposal: null, written: null });
  if (result.state === 'failed' && result.stopReason !== null) return exitCodeOf[result.stopReason.code];
  return why === null ? exitCodes.allIn : exitCodes.someNotIn;
}

/** @param sent  the ledger's entry of the row in this run, when it was sent */
function conclusionOf(found: RowData, state: RowState, sent: RunEntry | null, why: Message | null): Message {
  if (!found.isValid) return messageOf('probe-invalid', { sheet: found.sheet, row: found.row });
  if (sent === null) return messageOf('probe-not-sent', { why });
  if (rowStates[state].isIn) return messageOf('probe-yes', { id: sent.record, why });
  if (state === 'rejected') return messageOf('probe-no', { why });
  // The answer itself is shown, so the reason does not repeat it.
  const shortly = why === null || !('reason' in why.params) ? why : { ...why, params: { ...why.params, reason: null } };
  return messageOf('probe-doubt', { why: shortly });
}

function show(exchange: Exchange | null, conclusion: Message, terminal: Terminal): void {
  if (exchange !== null) {
    const { method, path, request, status, answer } = exchange;
    const shown = (body: unknown) => (body === null ? '' : `\n${JSON.stringify(body, null, 2)}`);
    terminal.say(`${method} ${path}${shown(request)}\n\n${status}${shown(answer)}\n`);
  }
  terminal.say(textOf(conclusion));
}

function exchangeJson(exchange: Exchange | null): object {
  return {
    request: exchange && { method: exchange.method, path: exchange.path, body: exchange.request },
    answer: exchange && { status: exchange.status, body: exchange.answer },
  };
}
