/**
 * Holds the ids that judged answers give against all that the run was told before. Its one rule: once an answer has come that
 * belongs to another request, no connection is used again that it may have come by.
 */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import type { RecordKind, RecordKindName } from '../../contract/record-kind.ts';
import { referenceIn } from '../answers/answer.ts';
import type { Outcome } from '../records/outcome.ts';
import type { OutgoingRecord } from '../records/outgoing-record.ts';
import type { ServiceAddress } from '../sending/address.ts';
import type { CallEnd } from '../sending/call-end.ts';
import type { CallSettings } from '../sending/calls.ts';
import type { RunTokens } from '../sending/run-tokens.ts';
import type { Transport } from '../wire/transport.ts';
import { GivenIds } from './given-ids.ts';
import { withSafeReference } from './safe-reference.ts';
import type { Secrets } from './verdict.ts';

export interface IdSurroundings {
  readonly tokens: Pick<RunTokens, 'known'>;
  readonly transport: Pick<Transport, 'leaveConnections'>;
}

export class IdChecks {
  readonly #address: ServiceAddress;
  readonly #contract: ContractSettings;
  readonly #around: IdSurroundings;
  readonly #secretsOf: (record: OutgoingRecord) => Secrets;
  readonly #givenIds = new GivenIds();

  /** @param secretsOf  what must not be repeated of each row; see {@link Secrets} */
  constructor(
    { address, contract }: Pick<CallSettings, 'address' | 'contract'>,
    around: IdSurroundings,
    secretsOf: (record: OutgoingRecord) => Secrets,
  ) {
    this.#address = address;
    this.#contract = contract;
    this.#around = around;
    this.#secretsOf = secretsOf;
  }

  /** Notes an id that a row of the run got before. */
  note(kind: RecordKindName, id: string): void {
    this.#givenIds.add(kind, id);
  }

  /** The outcome of a row that was sent alone, as far as the id in its answer lets it stand. */
  ofRecord(kind: RecordKind, record: OutgoingRecord, end: CallEnd, judged: Outcome): Outcome {
    const [outcome = judged] = this.ofRows(kind, [record], [judged]);
    if (kind.sending !== 'update') return outcome;
    const settled = this.#givenIds.settledUpdate(record, outcome, this.#idIn(end), this.#secretsOf);
    if (settled !== outcome) this.#around.transport.leaveConnections();
    return settled;
  }

  /** The same of the rows of one request, in their order. */
  ofRows(kind: RecordKind, records: readonly OutgoingRecord[], answered: readonly Outcome[]): readonly Outcome[] {
    const tokens = this.#around.tokens.known;
    const judged = answered.map((outcome, row) => {
      const record = records[row];
      return record === undefined ? outcome : withSafeReference(this.#withOrigin(outcome), kind, record, tokens);
    });
    const outcomes = this.#givenIds.settled(kind, records, judged, this.#secretsOf);
    const isAnyDoubted = outcomes.some(({ state }, row) => state === 'in-doubt' && judged[row]?.state !== 'in-doubt');
    // An answer that came twice stands between all further requests of its connection and their own answers.
    if (isAnyDoubted) this.#around.transport.leaveConnections();
    return outcomes;
  }

  /** An address from the root on is one of the service; what leads elsewhere all the same is none. */
  #withOrigin(outcome: Outcome): Outcome {
    const url = 'url' in outcome ? (outcome.url?.trim() ?? null) : null;
    if (url === null || !('url' in outcome) || !url.startsWith('/')) return outcome;
    return { ...outcome, url: this.#address.sameOrigin(url, '/')?.href ?? null };
  }

  #idIn(end: CallEnd): string | null {
    if (end.kind !== 'answer' || end.answer.body.kind !== 'json') return null;
    return referenceIn(end.answer.body.value, this.#contract).id;
  }
}
