/**
 * What the page works with: one file, one service, one load at a time. Its one rule: it decides nothing. It keeps what the person
 * chose, calls what the commands call, and tells what came of it.
 */
import { basename, join } from 'node:path';
import { changeableChecks } from '../contract/check-codes.ts';
import { dateOrders } from '../contract/formats.ts';
import { type RecordKindName, recordKindNames } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { type RowState, rowStates } from '../contract/row-state.ts';
import { DealsheetError, type ErrorCode, isDealsheetError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { importFile, type Planned, withPlanned } from '../load/import-file.ts';
import { resumeRun } from '../load/resume-run.ts';
import type { SendingEvents, SendingResult } from '../load/sending.ts';
import type { Mapping } from '../mapping/mapping-file/mapping.ts';
import type { NamedMapping } from '../mapping/mapping-file/read-mapping.ts';
import { shownText } from '../mapping/reading.ts';
import { serviceMessage } from '../messages/service.ts';
import { textOf } from '../messages/text.ts';
import type { ImportOptions } from '../plan/options.ts';
import type { ServiceEvents } from '../service/events.ts';
import { privatePathsOf } from '../settings/configuration.ts';
import { mappingsFolder } from '../settings/folders.ts';
import { ledgerFiles, needRun, sourcesFolderOf, withLedger } from '../settings/ledger-choice.ts';
import { needsApproval } from '../settings/service-choice.ts';
import { serviceOfRun } from '../settings/service-session.ts';
import type { Draft } from '../staging/draft-mapping.ts';
import { type Correction, keepCorrections } from '../staging/source/corrections.ts';
import { rememberMapping } from '../staging/source/remembered-mappings.ts';
import { decidedMapping, draftOf, keepMapping, mappingOfFile, mappingShown, withValue } from './file-mapping.ts';
import { pageFolder } from './past-runs.ts';
import type {
  Choices,
  ColumnDecided,
  CorrectionAsked,
  EndShown,
  Fault,
  Filter,
  LoadShown,
  MappingShown,
  PageState,
  WindowShown,
} from './protocol.ts';
import { RowWindow } from './row-window.ts';
import { type OpenService, openChosen, type PageFlags, rehearsal, servicesShown } from './services.ts';
import { findingsInOrder, previewShown, stateCounts, statesOfCounts } from './shown-preview.ts';

/** A file that is open to be looked at. */
interface OpenFile {
  readonly planned: Planned;
  readonly window: RowWindow;
  readonly ledger: Ledger;
}

const noChoices: Choices = { kind: null, dateOrder: null, leaveOutUnknown: false, allow: [] };
const nothingOpen = { preview: null, load: null, end: null, fault: null, read: 0 } as const;
const secondMs = 1000;
/** A person sees no more than a few figures a second. */
const betweenMs = 200;

export class Desk {
  readonly #flags: PageFlags;
  readonly #tell: (state: PageState) => void;
  #state: PageState;
  #path: string | null = null;
  #corrections: readonly Correction[] = [];
  /** What the person said of the columns. */
  #mapping: NamedMapping | null = null;
  #draft: Draft | null = null;
  #service: OpenService | null = null;
  #open: OpenFile | null = null;
  /** Ends the looking at the file that is open or being read. */
  #leave: () => Promise<void> = async () => {};
  #sending: { readonly controller: AbortController; readonly ended: Promise<void> } | null = null;
  /** One after another: a file is read for one service, with one set of choices. */
  #turn: Promise<void> = Promise.resolve();

  constructor(flags: PageFlags, service: string | null, tell: (state: PageState) => void) {
    this.#flags = flags;
    this.#tell = tell;
    this.#state = {
      ...nothingOpen,
      version: 1,
      phase: 'empty',
      services: servicesShown(flags),
      service: service ?? rehearsal,
      choices: noChoices,
      file: null,
    };
    tell(this.#state);
  }

  /** The service that is open, or `null` before a file was read for one. */
  get service(): OpenService | null {
    return this.#service;
  }

  /** The service that is chosen, opened. */
  chosen(): Promise<OpenService> {
    return this.#chosenService();
  }

  /** @throws DealsheetError `usage` while a load is under way */
  open(path: string): Promise<void> {
    this.#needRest();
    this.#path = path;
    this.#corrections = [];
    this.#mapping = null;
    this.#draft = null;
    this.#set({ choices: noChoices });
    return this.#read();
  }

  choose({ service, choices }: { readonly service?: string; readonly choices?: Partial<Choices> }): Promise<void> {
    this.#needRest();
    if (service !== undefined) this.#set({ service });
    if (choices !== undefined) this.#set({ choices: { ...this.#state.choices, ...choices } });
    return this.#read();
  }

  /** After a profile was stored. */
  renewServices(): void {
    this.#set({ services: servicesShown(this.#flags) });
  }

  async correct(changes: readonly CorrectionAsked[]): Promise<void> {
    this.#needRest();
    const { window } = this.#needOpen();
    if (changes.some(({ everyMonth }) => everyMonth === true)) return this.#keepValues(changes, window);
    this.#corrections = [...this.#corrections, ...changes.map((change) => correctionOf(change, window))];
    return this.#read();
  }

  /** How the columns of the file would be read, to be decided by the person. */
  async draft(): Promise<MappingShown> {
    this.#draft = await draftOf(this.#needPath(), this.#kind());
    return mappingShown(this.#draft);
  }

  map(decided: readonly ColumnDecided[], everyMonth: boolean): Promise<void> {
    this.#needRest();
    if (this.#draft === null) throw nothingIsOpen();
    this.#keepMapping(decidedMapping(this.#draft, decided), everyMonth);
    return this.#read();
  }

  /** @param number  of the correction; `null` for the last one */
  undo(number: number | null): Promise<void> {
    this.#needRest();
    const gone = number ?? this.#corrections.length - 1;
    this.#corrections = this.#corrections.filter((_, at) => at !== gone);
    return this.#read();
  }

  rows(sheet: string, from: number, count: number, filter: Filter): Promise<WindowShown> {
    return this.#needOpen().window.rows(sheet, from, count, filter);
  }

  find(sheet: string, text: string, from: number, filter: Filter): Promise<number | null> {
    return this.#needOpen().window.find(sheet, text, from, filter);
  }

  reveal(sheet: string, row: number, column: number): string {
    const cell = this.#needOpen().window.cell(sheet, row, column);
    return cell === null ? '' : shownText(cell);
  }

  /** Begins to send what the preview says, and only if it still holds. */
  load(): void {
    this.#needRest();
    const { planned, ledger } = this.#needOpen();
    const service = this.#service;
    if (service === null || this.#path === null) throw nothingIsOpen();
    const { owner } = service.choice;
    if (owner?.profile.approval === 'other') throw needsApproval(owner.name);
    const path = this.#path;
    this.#send(basename(path), true, async (events, of) => {
      const options = { ...this.#options(service, path, of.signal), plan: planned.plan };
      return importFile(options, (rows) => service.session.connect(rows, of.service), ledger, events);
    });
  }

  resume(id: string): void {
    this.#needRest();
    this.#send('', this.#open?.window.run === id, (events, of) =>
      withLedger(this.#flags, async (ledger) => {
        const run = await needRun(ledger, id);
        const { choice, open } = serviceOfRun(run, { ...this.#flags, sandbox: false });
        const session = await this.#sessionOf(run.service, open);
        this.#set({ load: { ...this.#loadSoFar(), file: run.sourceName } });
        try {
          const options = {
            service: session.identity,
            serviceUrl: session.url.href,
            contract: choice.contract,
            idempotencyKeys: choice.idempotencyKeys,
            resultsPath: null,
            snapshotFolder: sourcesFolderOf(ledger.files),
            privatePaths: privatePathsOf(this.#flags),
            signal: of.signal,
          };
          return await resumeRun(run, options, (rows) => session.connect(rows, of.service), ledger, events);
        } finally {
          if (session !== this.#service?.session) await session.close();
        }
      }),
    );
  }

  /** Nothing new is sent; what is under way may finish. */
  stop(): void {
    if (this.#sending === null || this.#state.load === null) return;
    this.#sending.controller.abort();
    this.#set({ load: { ...this.#state.load, isStopping: true } });
  }

  /** From what came of a load to the file again, read anew; or to the beginning. */
  back(): Promise<void> {
    this.#needRest();
    return this.#read();
  }

  /** Ends everything in good order. */
  async close(): Promise<void> {
    this.stop();
    await this.#sending?.ended;
    await this.#leave();
    await this.#turn;
    await this.#service?.session.close();
  }

  /** Reads the file that is chosen, for the service that is chosen; what was read before is left. */
  #read(): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      await this.#leave();
      const path = this.#path;
      if (path === null) {
        this.#set({ ...nothingOpen, phase: 'empty', file: null });
        return;
      }
      this.#set({ ...nothingOpen, phase: 'reading', file: basename(path) });
      await this.#hold(path);
    });
    return this.#turn;
  }

  /** Resolves once the file can be looked at, or cannot be read; the rows stay until it is left. */
  async #hold(path: string): Promise<void> {
    let isLeft = false;
    let toldAt = 0;
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    let isShown = () => {};
    const shown = new Promise<void>((resolve) => {
      isShown = resolve;
    });
    const onProgress = (read: number) => {
      if (isLeft) throw new DealsheetError('interrupted', 'The file was left.', 'Open it again.');
      if (performance.now() - toldAt < betweenMs) return;
      toldAt = performance.now();
      this.#set({ read });
    };
    const held = this.#chosenService()
      .then((service) =>
        withLedger(this.#flags, (ledger) => {
          const options = this.#options(service, path, new AbortController().signal);
          return withPlanned(options, ledger, { onProgress }, async (planned) => {
            this.#show(planned, ledger);
            isShown();
            await left;
          });
        }),
      )
      .catch((error: unknown) => {
        if (!isLeft) this.#set({ ...nothingOpen, phase: 'failed', fault: faultOf(error) });
      })
      .finally(isShown);
    this.#leave = async () => {
      isLeft = true;
      this.#open = null;
      leave();
      await held;
    };
    await shown;
  }

  #show(planned: Planned, ledger: Ledger): void {
    const found = findingsInOrder(planned.preview);
    const window = new RowWindow(planned, ledger, (number) => {
      const one = found[number];
      if (one === undefined) throw nothingIsOpen();
      return { sheet: one.sheet.name, finding: one.group.first.finding };
    });
    this.#open = { planned, window, ledger };
    const corrections = this.#corrections.map((one, number) => ({ number, text: correctionText(one, window) }));
    this.#set({ phase: 'ready', preview: previewShown(planned, found, corrections) });
  }

  async #chosenService(): Promise<OpenService> {
    const key = this.#state.service ?? rehearsal;
    if (this.#service?.key === key) return this.#service;
    await this.#service?.session.close();
    this.#service = null;
    this.#service = await openChosen(key, this.#flags);
    return this.#service;
  }

  /** A sandbox that is open already serves its earlier runs, too. */
  async #sessionOf(identity: string, open: () => Promise<OpenService['session']>): Promise<OpenService['session']> {
    const current = this.#service?.session;
    return current?.identity === identity ? current : open();
  }

  #options({ choice, session }: OpenService, path: string, signal: AbortSignal): ImportOptions {
    const { dateOrder, leaveOutUnknown, allow } = this.#state.choices;
    const kind = this.#kind();
    const snapshotFolder = sourcesFolderOf(ledgerFiles(this.#flags));
    return {
      file: path,
      kind: kind === null ? null : recordKind(kind),
      sheet: null,
      ignoredColumns: leaveOutUnknown ? 'all' : [],
      ignoredSheets: leaveOutUnknown ? 'all' : [],
      encoding: null,
      delimiter: null,
      mapping: this.#mapping,
      mappingsFolder,
      corrections: this.#corrections.length === 0 ? null : keepCorrections(snapshotFolder, this.#corrections),
      dateOrder: dateOrders.find((order) => order === dateOrder) ?? null,
      contract: choice.contract,
      checks: Object.fromEntries(
        changeableChecks.filter((code) => allow.includes(code)).map((code) => [code, 'warning']),
      ),
      attachmentsFolder: null,
      privatePaths: privatePathsOf(this.#flags),
      resultsPath: null,
      mask: 'rows that are in',
      snapshotFolder,
      standardInput: process.stdin,
      service: session.identity,
      serviceUrl: session.url.href,
      serviceName: session.name,
      idempotencyKeys: choice.idempotencyKeys,
      batch: choice.batch.value,
      signal,
      again: false,
      allOrNothing: false,
      trustResults: false,
      expectations: [],
      plan: null,
      limit: null,
      likeLast: null,
    };
  }

  #loadSoFar(): LoadShown {
    return this.#state.load ?? { run: null, file: '', toSend: 0, states: [], waiting: null, isStopping: false };
  }

  /** @param isOfFile  whether it loads the file that is open */
  #send(
    file: string,
    isOfFile: boolean,
    work: (events: SendingEvents, of: { signal: AbortSignal; service: ServiceEvents }) => Promise<SendingResult | null>,
  ): void {
    const controller = new AbortController();
    const counts: Partial<Record<RowState, number>> = {};
    const told: Fault[] = [];
    let toldAt = 0;
    const tellCounts = (waiting: string | null) => {
      toldAt = performance.now();
      this.#set({ load: { ...this.#loadSoFar(), states: stateCounts(counts), waiting } });
    };
    const events: SendingEvents = {
      onProgress: () => {},
      confirm: async () => true,
      onHealth: (health) => {
        if (health.state === 'warning') told.push({ message: textOf(health.message), remedy: '' });
      },
      onBegin: (run, preview) => {
        const rows = preview.sheets.reduce((sum, sheet) => sum + sheet.toSend, 0);
        this.#open?.window.showRun(isOfFile ? run : null);
        this.#set({ load: { ...this.#loadSoFar(), run, toSend: rows } });
      },
      onRow: ({ state }) => {
        counts[state] = (counts[state] ?? 0) + 1;
        if (performance.now() - toldAt > betweenMs) tellCounts(null);
      },
      onReport: () => tellCounts('Writing the results.'),
    };
    const service: ServiceEvents = {
      onWait: ({ code, status, milliseconds }) =>
        tellCounts(`${textOf(serviceMessage(`pause-${code}`, { status }))} ${goesOnIn(milliseconds)}`),
      onLost: ({ fault, milliseconds }) => tellCounts(`${textOf(fault)} It is tried again. ${goesOnIn(milliseconds)}`),
    };
    this.#set({
      ...nothingOpen,
      preview: this.#state.preview,
      phase: 'loading',
      load: { ...this.#loadSoFar(), file },
    });
    const ended = work(events, { signal: controller.signal, service }).then(
      (result) => this.#end(endShown(result, told)),
      (error: unknown) => this.#end(endOfFailure(this.#loadSoFar().run, file, counts, faultOf(error))),
    );
    this.#sending = { controller, ended };
  }

  #end(end: EndShown): void {
    this.#sending = null;
    this.#open?.window.showRun(this.#open.window.run);
    this.#set({ phase: 'ended', load: null, end });
  }

  /** Values that stand for others in every month are rules of the mapping, and no corrections of this file. */
  async #keepValues(changes: readonly CorrectionAsked[], window: RowWindow): Promise<void> {
    const path = this.#needPath();
    const before = this.#mapping?.mapping ?? (await mappingOfFile(path, this.#kind(), mappingsFolder));
    const mapping = changes.reduce((made, { sheet, column, from = '', to }) => {
      const { header, ownColumns } = window.sheet(sheet);
      return withValue(made, { sheet, header: header.headers[column + ownColumns] ?? '', from, to: to.trim() });
    }, before);
    this.#keepMapping(mapping, true);
    return this.#read();
  }

  #keepMapping(mapping: Mapping, everyMonth: boolean): void {
    const named = keepMapping(mapping, join(pageFolder(this.#flags), 'mappings'), this.#needPath());
    if (everyMonth) rememberMapping(named, mappingsFolder);
    this.#mapping = named;
  }

  #kind(): RecordKindName | null {
    return recordKindNames.find((name) => name === this.#state.choices.kind) ?? null;
  }

  #needPath(): string {
    if (this.#path === null) throw nothingIsOpen();
    return this.#path;
  }

  #needRest(): void {
    if (this.#sending !== null)
      throw new DealsheetError('usage', 'A load is under way.', 'Wait for its end, or stop it first.');
  }

  #needOpen(): OpenFile {
    if (this.#open === null) throw nothingIsOpen();
    return this.#open;
  }

  #set(changes: Partial<PageState>): void {
    this.#state = { ...this.#state, ...changes, version: this.#state.version + 1 };
    this.#tell(this.#state);
  }
}

function nothingIsOpen(): DealsheetError {
  return new DealsheetError('usage', 'No file is open.', 'Choose a file.');
}

function goesOnIn(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / secondMs);
  return `Sending goes on by itself in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`;
}

/** What helps on the page, where a command would not. */
const remedies: Readonly<Partial<Record<ErrorCode, string>>> = {
  'unmatched-columns':
    'Say under “How it is read” what the rows and the columns are, or leave out what no field takes.',
};

/** What a person is told of an error: never where it stands in the program. */
export function faultOf(error: unknown): Fault {
  if (isDealsheetError(error)) return { message: error.message, remedy: remedies[error.code] ?? error.remedy };
  return { message: 'Something went wrong inside dealsheet.', remedy: 'What was sent is in the ledger. Try again.' };
}

const isWrong = (state: string): boolean => !rowStates[state as RowState].isDone;

function endShown(result: SendingResult | null, before: readonly Fault[]): EndShown {
  if (result === null) return endOfFailure(null, '', {}, { message: 'Nothing was sent.', remedy: '' });
  const { run, file, counts, stopReason, interrupted, sourceChanged } = result;
  const states = statesOfCounts(counts);
  const told = [
    ...before,
    ...(stopReason === null ? [] : [{ message: textOf(stopReason.message), remedy: textOf(stopReason.remedy) }]),
    ...(interrupted ? [{ message: 'You stopped it.', remedy: 'The rows that are left go out when you go on.' }] : []),
    ...(sourceChanged ? [{ message: 'The file was changed while it was loaded.', remedy: 'Open it again.' }] : []),
  ];
  const count = (is: (state: string) => boolean) =>
    states.reduce((sum, [state, , rows]) => sum + (is(state) ? rows : 0), 0);
  return {
    run,
    file: basename(file),
    states,
    told,
    canResume: run !== null && (stopReason !== null || interrupted),
    wrong: count(isWrong),
    inDoubt: count((state) => state === 'in-doubt'),
  };
}

function endOfFailure(
  run: string | null,
  file: string,
  counts: Readonly<Partial<Record<RowState, number>>>,
  fault: Fault,
): EndShown {
  return { run, file, states: stateCounts(counts), told: [fault], canResume: run !== null, wrong: 0, inDoubt: 0 };
}

function correctionOf({ sheet: name, column, to, row, from }: CorrectionAsked, window: RowWindow): Correction {
  const sheet = window.sheet(name);
  const cell = row === undefined ? null : window.cell(name, row, column);
  const before = row === undefined ? (from ?? '') : cell === null ? '' : shownText(cell);
  const place = { sheet: name, column: column + sheet.ownColumns, row: row ?? null, below: sheet.header.number };
  return { ...place, from: before, to: to.trim() };
}

function correctionText({ sheet, column, row, from, to }: Correction, window: RowWindow): string {
  const matched = window.sheet(sheet);
  const header = matched.header.headers[column] ?? '';
  const said = window.isHidden(sheet, column)
    ? ['…', '…']
    : [from, to].map((text) => (text === '' ? 'blank' : `“${text}”`));
  const where = row === null ? `every ${said[0]}` : `row ${row}, ${said[0]}`;
  return `${sheet}, ${header}: ${where} is now ${said[1]}`;
}
