/** A month at a desk: files are staged, planned and sent to a real service over a socket, with a real ledger. */

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import Papa from 'papaparse';
import { assumedContract } from '../../src/contract/contract-settings.ts';
import { recordKindNames } from '../../src/contract/record-kind.ts';
import type { Counts } from '../../src/contract/row-state.ts';
import type { Ledger, RunEntry } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { load } from '../../src/load/load.ts';
import { takeAnswers } from '../../src/load/typed-answers.ts';
import { decisionOf } from '../../src/plan/decision.ts';
import { originOf } from '../../src/plan/identity.ts';
import { earlierRefsIn } from '../../src/plan/parents.ts';
import { plan } from '../../src/plan/plan.ts';
import { registerKind } from '../../src/plan/register.ts';
import { report } from '../../src/report/report.ts';
import { identityOf } from '../../src/service/address.ts';
import { ServiceClient } from '../../src/service/client.ts';
import { fixedToken } from '../../src/service/tokens.ts';
import { createSheetWriter } from '../../src/sheets/create-sheet-writer.ts';
import { openSource } from '../../src/sheets/open-source.ts';
import { matchSource } from '../../src/staging/source/matched-source.ts';
import { stage } from '../../src/staging/stage.ts';
import { Staging } from '../../src/staging/staging.ts';
import {
  type CannedAnswer,
  created,
  type RecordingService,
  startRecordingService,
} from '../builders/recording-service.ts';
import { aRun } from '../builders/runs.ts';
import { rowsStaged } from '../builders/staged-rows.ts';
import type { InFolder } from '../builders/temporary-folder.ts';
import { hurriedClock } from '../service/builders.ts';

export interface Loaded {
  /** By row, what the results tell: `created`, or the code of a message. */
  readonly told: readonly string[];
  readonly entries: readonly RunEntry[];
  /** The rows of its results sheet, its header first. */
  readonly results: readonly (readonly string[])[];
  readonly counts: Counts;
}

export class StagedMonth {
  readonly service: RecordingService;
  /** Answers by the number of their request, where they are not a yes. */
  readonly said: Map<number, CannedAnswer>;
  readonly ledger: Ledger;
  readonly #file: InFolder;

  private constructor(file: InFolder, service: RecordingService, said: Map<number, CannedAnswer>) {
    this.#file = file;
    this.service = service;
    this.said = said;
    this.ledger = openLedger(file('ledger.db'));
  }

  static async open(file: InFolder): Promise<StagedMonth> {
    const said = new Map<number, CannedAnswer>();
    const service = await startRecordingService((_, number) => said.get(number) ?? created(number));
    return new StagedMonth(file, service, said);
  }

  async close(): Promise<void> {
    await this.ledger.close();
    await this.service.stop();
  }

  /** Loads a results sheet again, as a person has changed its rows. */
  loadResults(
    name: string,
    { results: [header = [], ...rows] }: Loaded,
    changed: (rows: readonly (readonly string[])[]) => readonly (readonly string[])[] = (same) => same,
    allow: readonly string[] = [],
  ): Promise<Loaded> {
    return this.load(name, Papa.unparse([header, ...changed(rows)] as string[][]).split('\r\n'), allow);
  }

  async load(name: string, lines: readonly string[], allow: readonly string[] = []): Promise<Loaded> {
    const text = lines.join('\n');
    writeFileSync(this.#file(name), text);
    const source = await openSource(this.#file(name), { name, encoding: null, delimiter: null });
    const staging = Staging.create(':memory:');
    try {
      const url = new URL(this.service.url);
      const service = identityOf(url);
      const nothing = { ignoredColumns: [], ignoredSheets: [], mapping: null, contract: assumedContract };
      const matched = await matchSource(source, { file: this.#file(name), kind: null, sheet: null, ...nothing });
      const attachments = { folder: this.#file('.'), privatePaths: [], snapshotFolder: this.#file('private') };
      const done = await stage(matched, staging, {
        contract: assumedContract,
        dateOrder: null,
        signs: [],
        checks: {},
        attachments,
        earlierRefs: earlierRefsIn(this.ledger, service),
        service,
        onProgress: () => {},
      });
      const sourceDigest = createHash('sha256').update(text).digest('hex');
      const around = { staging, ledger: this.ledger, service, refScope: 'service' as const, sourceDigest };
      const origin = originOf(staging, await this.ledger.runs(), name);
      await plan(staging, this.ledger, {
        ...around,
        sourceName: name,
        origin,
        trustResults: false,
        again: false,
        allow: new Set(allow),
        limit: null,
        allOrNothing: false,
      });
      await takeAnswers(staging, this.ledger, 'ana');
      const paths = { sourcePath: this.#file(name), sourceName: name, origin, sourceDigest, resultsPath: '' };
      const run = await this.ledger.begin({ service, serviceUrl: url.href, ...paths, options: '{}', person: 'ana' });
      for (const kind of recordKindNames) await registerKind(run, kind, around);
      const limits = { timeoutMs: 5000, concurrency: 4, rate: null, idempotencyKeys: false };
      const credentials = fixedToken('token', 'test');
      const client = new ServiceClient({ url, credentials, contract: assumedContract, ...limits }, hurriedClock);
      const sending = { idempotencyKeys: false, batch: 100, signal: new AbortController().signal, onRow: () => {} };
      const end = await load(client, run, { ...around, contract: assumedContract, attachments, ...sending });
      await client.close();
      const isEnded = end.stopReason === null;
      await run.end(isEnded ? 'ended' : 'stopped');
      const pages = await Promise.all(staging.sheets.map((sheet) => this.ledger.entries(run.id, sheet.name, 0, 1000)));
      const entries = pages.flat();
      const decided = await rowsStaged(staging);
      const why = new Map(decided.map((row) => [row.row, decisionOf(row)]));
      const told = entries.map(({ place, state }) => {
        const decision = why.get(place);
        return decision !== undefined && decision !== null && 'why' in decision ? decision.why : state;
      });
      const path = this.#file(`results of ${name}.csv`);
      const writer = await createSheetWriter(path, {
        mode: 0o600,
        compression: 1,
        properties: {},
        mayReplace: async () => true,
      });
      const { counts } = await report(
        done,
        staging,
        { writer, withSummary: false, note: () => {} },
        {
          run: { ledger: this.ledger, record: { ...aRun, id: run.id } },
          file: path,
          mask: 'rows that are in',
          notices: [],
        },
      );
      const results = Papa.parse<string[]>(readFileSync(path, 'utf8').replace(/^\ufeff/, ''), {
        skipEmptyLines: true,
      }).data;
      return { told, entries, results, counts };
    } finally {
      staging.close();
      await source.close();
    }
  }
}
