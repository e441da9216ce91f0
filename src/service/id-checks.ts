/**
 * Holds the ids that answers give against all that the run was told before. Its one rule: one record is not two rows, so an id
 * that comes a second time leaves a doubt, and no connection is used again that the stray answer may have come by.
 */
import { valuesAt } from '../contract/body-path.ts';
import { fieldsOf } from '../contract/fields.ts';
import { oncePer } from '../contract/once-per.ts';
import type { RecordKind, RecordKindName } from '../contract/record-kind.ts';
import { serviceMessage } from '../messages/service.ts';
import type { Session } from './conversation.ts';
import { IdSet } from './id-set.ts';
import type { Outcome, OutgoingRecord } from './outcome.ts';
import { shortened } from './plain-text.ts';
import { redacted } from './redaction.ts';

export class IdChecks {
  readonly #session: Pick<Session, 'tokens' | 'transport' | 'secretsOf'>;
  /** Numbers are told apart by their kinds: a service may count deals and companies each from 1. */
  readonly #ids = new Map<RecordKindName | 'any', IdSet>();
  /** Companies that rows of the run have updated. */
  readonly #updated = new IdSet();

  constructor(session: Pick<Session, 'tokens' | 'transport' | 'secretsOf'>) {
    this.#session = session;
  }

  /** Notes an id that a row of the run got before. */
  note(kind: RecordKindName, id: string): void {
    this.#idsOf(kind, id).add(id);
  }

  /**
   * The outcomes of the rows of one request, as far as the ids in its answer let them stand.
   * @param given  the id in the answer to an update, or `null`
   */
  checked(
    kind: RecordKind,
    records: readonly OutgoingRecord[],
    answered: readonly Outcome[],
    given: string | null,
  ): readonly Outcome[] {
    const safe = answered.map((outcome, row) => this.#withSafeReference(outcome, kind, records[row] as OutgoingRecord));
    const ids = safe.map((outcome) => (outcome.state === 'created' ? outcome.id : null));
    const outcomes = safe.map((outcome, row): Outcome => {
      const record = records[row] as OutgoingRecord;
      const id = ids[row] ?? null;
      if (outcome.state === 'updated' && this.#isOfOther(record.pathId, given))
        return this.#doubt('id-of-other-company', outcome, given ?? '', record);
      // Each id is noted, also one that comes twice in one answer.
      const isNew = id === null || this.#idsOf(kind.name, id).add(id);
      const isOnce = ids.indexOf(id) === ids.lastIndexOf(id);
      return id === null || (isNew && isOnce) ? outcome : this.#doubt('id-given-twice', outcome, id, record);
    });
    // An answer that came twice stands between all further requests of its connection and their own answers.
    if (outcomes.some((outcome, row) => outcome !== safe[row])) this.#session.transport.leaveConnections();
    return outcomes;
  }

  /** Whether the answer to an update has the id of the company of another row: it is the answer to that one. */
  #isOfOther(pathId: string | null, given: string | null): boolean {
    if (pathId === null) return false;
    this.#updated.add(pathId);
    if (given === null || given === pathId) return false;
    return this.#updated.has(given) || this.#idsOf('companies', given).has(given);
  }

  #doubt(
    code: 'id-given-twice' | 'id-of-other-company',
    { attempts, httpStatus }: Outcome,
    given: string,
    record: OutgoingRecord,
  ): Outcome {
    const id = shortened(redacted(given, this.#session.secretsOf(record)), longestId);
    return { state: 'in-doubt', attempts, httpStatus, message: serviceMessage(code, { id }) };
  }

  /** An address with the token or a sensitive value is left out; an id with the token is none. */
  #withSafeReference(outcome: Outcome, kind: RecordKind, record: OutgoingRecord): Outcome {
    if ('message' in outcome) return outcome;
    const tokens = this.#session.tokens.known;
    const { url, attempts, httpStatus } = outcome;
    if (outcome.state === 'created' && holdsToken(outcome.id, tokens)) {
      return { state: 'in-doubt', attempts, httpStatus, message: serviceMessage('token-as-id') };
    }
    const companyId = holdsToken(outcome.companyId, tokens) ? null : outcome.companyId;
    const isUnsafe = url !== null && (holdsToken(url, tokens) || holdsSensitive(url, kind, record));
    return { ...outcome, companyId, url: isUnsafe ? null : url };
  }

  #idsOf(kind: RecordKindName, id: string): IdSet {
    const name = /^\d+$/.test(id) ? kind : 'any';
    const ids = this.#ids.get(name) ?? new IdSet();
    this.#ids.set(name, ids);
    return ids;
  }
}

const longestId = 80;
/** A shorter token may be a part of any id, and of any address. */
const shortestToken = 12;
/** An SSN has nine digits, a date eight: fewer are numbers of anything. */
const fewestDigits = 8;

function holdsToken(text: string | null, tokens: readonly string[]): boolean {
  const capitals = decoded(text ?? '').toUpperCase();
  return tokens.some((token) => token.length >= shortestToken && capitals.includes(token.toUpperCase()));
}

function holdsSensitive(url: string, kind: RecordKind, { body }: OutgoingRecord): boolean {
  const said = digitsOf(decoded(url));
  if (said.length < fewestDigits) return false;
  return sensitivePathsOf(kind).some((path) => {
    const digits = digitsOf(String(valuesAt(body, path)[0] ?? ''));
    const [year, month, day] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)];
    // A date may stand there with its parts in another order.
    const orders = [digits, month + day + year, day + month + year, digits.slice(-4) + digits.slice(0, -4)];
    return digits.length >= fewestDigits && orders.some((order) => said.includes(order));
  });
}

/** Found out once a kind: this is asked for every row that goes in. */
const sensitivePathsOf = oncePer((kind: RecordKind) =>
  fieldsOf(kind).flatMap(({ path, place, facts }) => (place === 'body' && facts.sensitive === true ? [path] : [])),
);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
