/**
 * The state of the page: one file, one service, one load at a time. It decides nothing: it stores the person's choices,
 * calls the same functions as the commands, and reports the result.
 */
import { basename, join } from 'node:path';
import { recordKinds } from '../contract/record-kinds.ts';
import type { RunRecord } from '../ledger/ledger.ts';
import { importFile, type Planned } from '../load/import-file.ts';
import { draftOf, keepMapping, plainMapping } from '../load/kept-mapping.ts';
import { resumeRun } from '../load/resume-run.ts';
import type { Mapping } from '../mapping/mapping-file/mapping.ts';
import type { NamedMapping } from '../mapping/mapping-file/read-mapping.ts';
import { errorOf, textOf } from '../messages/text.ts';
import { readRecordedOptions } from '../plan/options.ts';
import { asking } from '../service/client.ts';
import { mappingsFolder, type StoredProfile, storeProfile } from '../settings/configuration.ts';
import { withRun } from '../settings/ledger-choice.ts';
import { refuseUnapproved, resumingOptions } from '../settings/service.ts';
import type { Draft } from '../staging/draft-mapping.ts';
import type { Correction } from '../staging/source/corrections.ts';
import { rememberMapping } from '../staging/source/remembered-mappings.ts';
import { digestOf } from '../staging/source/source-copy.ts';
import { mappingDecided, mappingShown, type ValueRule, valueRules, withoutValue, withValue } from './file-mapping.ts';
import { type Chosen, type HeldFile, holdFile, kindNamed, type OpenFile, optionsOf } from './held-file.ts';
import { keepChanges, keptChanges, pageFolder } from './page-folder.ts';
import { addressOfRun } from './past-runs.ts';
import type { Choices, CorrectionAsked, Given, KindsSaid, LoadShown, MappingShown, PageState } from './protocol.ts';
import { RowWindow } from './row-window.ts';
import {
  keyOfProfile,
  type OpenService,
  openChosen,
  type PageFlags,
  rehearsal,
  servicesShown,
  withServiceOf,
} from './services.ts';
import { faultOf, nothingSent, type RunningLoad, runLoad, type Sending, stateCounts } from './shown-load.ts';
import { aboutChanges, previewShown } from './shown-preview.ts';

interface Looked extends OpenFile {
  readonly values: readonly ValueRule[];
  readonly window: RowWindow;
}

const noChoices: Choices = {
  kind: null,
  dateOrder: null,
  encoding: null,
  allow: [],
  leaveOutUnknown: false,
  trustResults: false,
  again: false,
};
const nothingUnderWay = { load: null, fault: null, read: 0 } as const;

export class LoadSession {
  readonly #flags: PageFlags;
  readonly #tell: (state: PageState) => void;
  #state: PageState;
  #chosen: Chosen | null = null;
  #service: OpenService | null = null;
  /** Whether the profile of the open service was stored again. */
  #isStale = false;
  #held: HeldFile | null = null;
  #open: Looked | null = null;
  #load: RunningLoad | null = null;
  /** Serializes reads: one file, one service and one set of choices at a time. */
  #turn: Promise<void> = Promise.resolve();
  /** The version of the state since which the chosen file is shown. */
  #chosenAt = 0;

  constructor(flags: PageFlags, service: string | null, tell: (state: PageState) => void) {
    this.#flags = flags;
    this.#tell = tell;
    this.#state = {
      ...nothingUnderWay,
      preview: null,
      version: 1,
      phase: 'empty',
      services: servicesShown(flags),
      kinds: recordKinds.map(({ name, sheet }) => [name, sheet]),
      service: service ?? rehearsal,
      choices: noChoices,
      file: null,
    };
    tell(this.#state);
  }

  get service(): OpenService | null {
    return this.#service;
  }

  get window(): RowWindow {
    return this.#needOpen().window;
  }

  async chosenService(): Promise<OpenService> {
    const key = this.#state.service;
    if (this.#service?.key === key && !this.#isStale) return this.#service;
    await this.#service?.session.close();
    this.#service = null;
    this.#service = await openChosen(key, this.#flags);
    this.#isStale = false;
    return this.#service;
  }

  /** @throws DealsheetError `usage` while a load is running */
  open(path: string): Promise<void> {
    this.#needRest();
    this.#chosen = { path, corrections: [], corrected: null, mapping: null, isChanged: false };
    this.#set({ choices: noChoices, preview: null });
    this.#chosenAt = this.#state.version;
    return this.#read();
  }

  choose({ service, choices, version }: Given<'choose'>): Promise<void> {
    this.#needRest();
    this.#needSeen(version, this.#chosenAt);
    this.#set({ service: service ?? this.#state.service, choices: { ...this.#state.choices, ...choices } });
    return this.#read();
  }

  /** Stores a service, chooses it, and checks that it responds and accepts the token. @returns the result as text */
  async addService(profile: StoredProfile): Promise<string> {
    this.#needRest();
    await storeProfile(profile);
    this.#isStale = true;
    this.#set({ services: servicesShown(this.#flags) });
    await this.choose({ service: keyOfProfile(profile.name), version: this.#state.version });
    const { session } = await this.chosenService();
    const health = await asking(session.connect({}), (client) => client.health());
    const saved = `Saved: ${profile.name}, ${session.url.href}.`;
    if (health.state === 'warning') return `${saved} The service answers, but: ${textOf(health.message)}`;
    if (health.state !== 'blocked') return `${saved} The service answers and accepts the token.`;
    return `${saved} But: ${textOf(health.reason.message)} ${textOf(health.reason.remedy)}`;
  }

  async correct({ changes, version }: Given<'correct'>): Promise<void> {
    const { path } = this.#needChosen();
    this.#needSeen(version, this.#chosenAt);
    // A change typed while the file is being read applies afterwards.
    for (let turn: Promise<void> | null = null; turn !== this.#turn; await turn) turn = this.#turn;
    this.#needRest();
    const { window, planned } = this.#needOpen();
    const { corrections, path: now } = this.#needChosen();
    if (now !== path) throw errorOf('page-without-file');
    if (changes.some(({ everyMonth }) => everyMonth === true)) return this.#keepValues(changes);
    return this.#correct([...corrections, ...changes.map((change) => window.correctionOf(change))], planned);
  }

  undo({ at, version }: Given<'undo'>): Promise<void> {
    this.#needRest();
    this.#needSeen(version);
    const { corrections } = this.#needChosen();
    const { values, planned } = this.#needOpen();
    const { mapping } = planned.options;
    const value = values[at - corrections.length];
    if (value === undefined || mapping === null) return this.#correct(corrections.toSpliced(at, 1), planned);
    return this.#say({ mapping: this.#kept(withoutValue(mapping.mapping, value), true) });
  }

  /** Drafts how to read the columns, for the person to decide. */
  async draft({ kinds }: Given<'draft'>): Promise<MappingShown> {
    return mappingShown(await this.#draftOf(kinds));
  }

  async map({ kinds, everyMonth, version, ...said }: Given<'map'>): Promise<void> {
    this.#needRest();
    this.#needSeen(version, this.#chosenAt);
    const mapping = mappingDecided(await this.#draftOf(kinds), said);
    return this.#say({ mapping: this.#kept(mapping, everyMonth) });
  }

  #draftOf(kinds: KindsSaid): Promise<Draft> {
    const said = Object.entries(kinds).map(([name, of]) => [name, kindNamed(of)] as const);
    const { path, mapping } = this.#needChosen();
    const before = this.#open?.planned.options.mapping ?? mapping;
    return draftOf(
      path,
      kindNamed(this.#state.choices.kind),
      new Map(said),
      before?.mapping,
      this.#state.choices.encoding,
    );
  }

  /** Sends what the preview shows, and only if it still holds. */
  load({ version }: Given<'load'>): void {
    this.#needRest();
    this.#needSeen(version);
    const { planned, ledger } = this.#needOpen();
    const chosen = this.#needChosen();
    const service = this.#service;
    if (service === null) throw errorOf('page-without-file');
    refuseUnapproved(service.choice);
    this.#send(true, async (events, of, signal) => {
      const options = { ...optionsOf(this.#flags, service, chosen, this.#state.choices, signal), plan: planned.plan };
      return importFile(options, () => service.session.connect(of), ledger, events);
    });
    // Said for one load: a second one would send every row once more.
    this.#set({ choices: { ...this.#state.choices, again: false } });
  }

  async resume({ run: id }: Given<'resume'>): Promise<void> {
    if (this.#state.phase === 'reading') throw errorOf('page-reading');
    await withRun(this.#flags, id, async (run) => this.#refuseChanged(run));
    this.#needRest();
    this.#send(this.#open?.window.run === id, (events, of, signal) =>
      withRun(this.#flags, id, async (run, ledger) => {
        this.#set({ file: run.sourceName });
        this.#setLoad({ address: addressOfRun(run) });
        return withServiceOf(run, this.#flags, this.#service, async (session) => {
          const options = resumingOptions(this.#flags, ledger, session, signal);
          const result = await resumeRun(run, options, () => session.connect(of), ledger, events);
          // A load that goes on has no preview on the page.
          return result === null ? null : { ...result, notices: [...result.preview.notices, ...result.notices] };
        });
      }),
    );
  }

  /** What a person changed on the page since would not go out with the run. */
  #refuseChanged({ options, sourceDigest }: RunRecord): void {
    const { plan, options: now } = this.#open?.planned ?? {};
    if (plan?.digest !== sourceDigest) return;
    const then = readRecordedOptions(options);
    const { isChanged = false, corrections = [] } = this.#chosen ?? {};
    const hasKept = isChanged || corrections.length > 0;
    const isOther = (part: 'corrections' | 'mapping') => then[part]?.digest !== now?.[part]?.digest;
    if ((hasKept && isOther('corrections')) || (isChanged && isOther('mapping')))
      throw errorOf('page-changed-since', { name: plan.file });
  }

  stop(): void {
    this.#load?.stop();
  }

  /** After an answer to a doubt of the load that is shown. */
  async countAgain(id: string): Promise<void> {
    const counts = await withRun(this.#flags, id, (run, ledger) => ledger.counts(run.id));
    if (this.#load === null && this.#state.load?.run === id) this.#setLoad({ states: stateCounts(counts) });
  }

  /** Returns from a finished load to the file, which is read again, or to the start. */
  back(): Promise<void> {
    this.#needRest();
    return this.#read();
  }

  async close(): Promise<void> {
    this.stop();
    await this.#load?.ended;
    await this.#leave();
    await this.#turn;
    await this.#service?.session.close();
  }

  #correct(corrections: readonly Correction[], { plan }: Planned): Promise<void> {
    keepChanges(pageFolder(this.#flags), plan.digest, corrections);
    return this.#say({ corrections, corrected: plan.digest });
  }

  #say(changes: Partial<Chosen>): Promise<void> {
    this.#chosen = { ...this.#needChosen(), ...changes, isChanged: true };
    return this.#read();
  }

  /** Reads the chosen file for the chosen service, and closes the previous reading. */
  #read(): Promise<void> {
    // Stops the previous reading at once; the next turn also leaves what has opened until then.
    const left = this.#leave();
    this.#set({ phase: this.#chosen === null ? 'empty' : 'reading' });
    const read = async () => {
      await left;
      await this.#leave();
      const chosen = this.#chosen;
      if (chosen === null) return this.#set({ ...nothingUnderWay, phase: 'empty', preview: null, file: null });
      // The previous preview stays visible while the file is read again.
      this.#set({ ...nothingUnderWay, phase: 'reading', file: basename(chosen.path) });
      await this.#hold(chosen);
    };
    this.#turn = this.#turn.then(read).catch(this.#fail);
    return this.#turn;
  }

  readonly #fail = (error: unknown) => this.#set({ phase: 'failed', preview: null, fault: faultOf(error) });

  async #leave(): Promise<void> {
    this.#open = null;
    await this.#held?.leave();
  }

  /** Resolves once the file is open or has failed. The rows stay available until it is left. */
  async #hold(before: Chosen): Promise<void> {
    // A file that cannot be read fails below, with its reason.
    const digest = await digestOf(before.path).catch(() => null);
    if (this.#chosen !== before) return;
    const isSame = digest === before.corrected;
    const corrections = isSame || digest === null ? before.corrections : keptChanges(pageFolder(this.#flags), digest);
    const chosen = { ...before, corrections, corrected: digest };
    this.#chosen = chosen;
    const optionsFor = async (signal: AbortSignal) =>
      optionsOf(this.#flags, await this.chosenService(), chosen, this.#state.choices, signal);
    this.#held = holdFile(this.#flags, optionsFor, (read) => this.#set({ read }));
    const file = await this.#held.opened;
    if (file === null) return;
    if (file.planned.plan.digest === digest)
      return this.#show(file, chosen, isSame ? [] : aboutChanges(before, corrections));
    // The file has changed since.
    await this.#held.leave();
    await this.#hold(chosen);
  }

  #show(file: OpenFile, { corrections }: Chosen, about: readonly string[]): void {
    const { planned, found } = file;
    const window = new RowWindow(file);
    const { mapping } = planned.options;
    const sheets = planned.staged.sheets.map(({ sheet }) => sheet.name);
    const values = mapping === null ? [] : valueRules(mapping.mapping, sheets);
    this.#open = { ...file, window, values };
    const preview = previewShown(planned, found, corrections, values, window);
    this.#set({ phase: 'ready', preview: { ...preview, notices: [...about, ...preview.notices] } });
  }

  #send(isOfFile: boolean, send: Sending): void {
    const { services, service } = this.#state;
    const preview = isOfFile ? this.#state.preview : null;
    const address = services.find(({ key }) => key === service)?.address ?? null;
    this.#set({ ...nothingUnderWay, phase: 'loading', preview, load: { ...nothingSent, address } });
    const load = runLoad(send, {
      onRun: (run) => isOfFile && this.#open?.window.follow(run),
      onChange: (changes) => this.#setLoad(changes),
    });
    this.#load = load;
    load.ended.then((end) => {
      this.#load = null;
      this.#open?.window.rest();
      this.#setLoad(end);
      this.#set({ phase: 'ended' });
    });
  }

  /** Values that are replaced every month become mapping rules, not corrections of this file. */
  async #keepValues(changes: readonly CorrectionAsked[]): Promise<void> {
    const { window, planned } = this.#needOpen();
    const before =
      planned.options.mapping?.mapping ??
      (await plainMapping(this.#needChosen().path, kindNamed(this.#state.choices.kind)));
    if (before === null) throw errorOf('columns-unclear');
    const mapping = changes.reduce((made, { sheet, column, from = '', to }) => {
      const header = window.headerOf(sheet, column);
      return withValue(made, { sheet, header, from, to: to.trim() });
    }, before);
    return this.#say({ mapping: this.#kept(mapping, true) });
  }

  #kept(mapping: Mapping, everyMonth: boolean): NamedMapping {
    const named = keepMapping(mapping, join(pageFolder(this.#flags), 'mappings'), this.#needChosen().path);
    if (everyMonth) rememberMapping(named, mappingsFolder);
    return named;
  }

  #needChosen(): Chosen {
    if (this.#chosen === null) throw errorOf('page-without-file');
    return this.#chosen;
  }

  #needOpen(): Looked {
    if (this.#open === null) throw errorOf('page-without-file');
    return this.#open;
  }

  #needRest(): void {
    if (this.#load !== null) throw errorOf('page-loading');
  }

  /** Another tab, or an answer that came since, may have changed what the person saw. */
  #needSeen(version: number, since = this.#state.version): void {
    if (!(version >= since)) throw errorOf('page-outdated');
  }

  #setLoad(changes: Partial<LoadShown>): void {
    this.#set({ load: { ...(this.#state.load ?? nothingSent), ...changes } });
  }

  #set(changes: Partial<PageState>): void {
    this.#state = { ...this.#state, ...changes, version: this.#state.version + 1 };
    this.#tell(this.#state);
  }
}
