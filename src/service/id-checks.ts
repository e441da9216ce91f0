/**
 * Holds the ids that answers give against those that the run was told lately; the ledger has the last word on all of them. Its one
 * rule: an id that comes a second time leaves a doubt, and no connection is used again that the stray answer may have come by.
 */
import type { RecordKind, RecordKindName } from '../contract/record-kind.ts';
import { serviceMessage } from '../messages/service.ts';
import type { Session } from './conversation.ts';
import type { Outcome, OutgoingRecord } from './outcome.ts';
import { shortened } from './plain-text.ts';
import { redacted } from './redaction.ts';

/** What of the session is needed. */
interface Told extends Pick<Session, 'secretsOf'> {
  readonly tokens: Pick<Session['tokens'], 'known'>;
  readonly transport: Pick<Session['transport'], 'leaveConnections'>;
}

export class IdChecks {
  readonly #session: Told;
  /** What rows got and updates named, the oldest first: an answer that strays is at most a few requests late. */
  readonly #recent = new Set<string>();

  constructor(session: Told) {
    this.#session = session;
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
    const safe = answered.map((outcome, row) => this.#withSafeReference(outcome, records[row] as OutgoingRecord));
    const ids = safe.map((outcome) => (outcome.state === 'created' ? outcome.id : null));
    const outcomes = safe.map((outcome, row): Outcome => {
      const record = records[row] as OutgoingRecord;
      const id = ids[row] ?? null;
      if (outcome.state === 'updated' && this.#isOfOther(record.pathId, given))
        return this.#doubt('id-of-other-company', outcome, given ?? '', record);
      if (id === null) return outcome;
      // Each id is noted, also one that comes twice in one answer.
      const isNew = !this.#recent.has(keyOf(kind.name, id));
      const isOnce = ids.indexOf(id) === ids.lastIndexOf(id);
      this.#note(keyOf(kind.name, id));
      return isNew && isOnce ? outcome : this.#doubt('id-given-twice', outcome, id, record);
    });
    // An answer that came twice stands between all further requests of its connection and their own answers.
    if (outcomes.some((outcome, row) => outcome !== safe[row])) this.#session.transport.leaveConnections();
    return outcomes;
  }

  /** Whether the answer to an update has the id of the company of another row: it is the answer to that one. */
  #isOfOther(pathId: string | null, given: string | null): boolean {
    if (pathId === null) return false;
    this.#note(updatedKeyOf(pathId));
    if (given === null || given === pathId) return false;
    return this.#recent.has(updatedKeyOf(given)) || this.#recent.has(keyOf('companies', given));
  }

  #note(key: string): void {
    this.#recent.add(key);
    const [oldest = ''] = this.#recent;
    if (this.#recent.size > mostRecent) this.#recent.delete(oldest);
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
  #withSafeReference(outcome: Outcome, record: OutgoingRecord): Outcome {
    if ('message' in outcome) return outcome;
    const tokens = this.#session.tokens.known;
    const { url, attempts, httpStatus } = outcome;
    if (outcome.state === 'created' && holdsToken(outcome.id, tokens)) {
      return { state: 'in-doubt', attempts, httpStatus, message: serviceMessage('token-as-id') };
    }
    const companyId = holdsToken(outcome.companyId, tokens) ? null : outcome.companyId;
    const isUnsafe = url !== null && (holdsToken(url, tokens) || holdsSensitive(url, record));
    return { ...outcome, companyId, url: isUnsafe ? null : url };
  }
}

const mostRecent = 10_000;

/** Numbers are told apart by their kinds: a service may count deals and companies each from 1. */
function keyOf(kind: RecordKindName, id: string): string {
  return /^\d+$/.test(id) ? `${kind} ${id}` : id;
}

function updatedKeyOf(id: string): string {
  return `updated ${id}`;
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

function holdsSensitive(url: string, { secrets }: OutgoingRecord): boolean {
  const said = digitsOf(decoded(url));
  if (said.length < fewestDigits) return false;
  return secrets().some(({ value, isSensitive }) => {
    const digits = digitsOf(value);
    const [year, month, day] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)];
    // A date may stand there with its parts in another order.
    const orders = [digits, month + day + year, day + month + year];
    return isSensitive === true && digits.length >= fewestDigits && orders.some((order) => said.includes(order));
  });
}

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
