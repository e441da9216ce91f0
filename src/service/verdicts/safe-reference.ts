/**
 * Keeps what must not be told out of the ids and addresses that a service gives. An address with the token, an SSN or a
 * date of birth of its row is left out, for nothing hangs on it; an id with the token is none. An id with anything else
 * stays as it is: by it alone the record is found again.
 */
import { fieldsOf } from '../../contract/fields.ts';
import type { RecordKind } from '../../contract/record-kind.ts';
import { memberAt } from '../answers/answer.ts';
import type { Outcome } from '../records/outcome.ts';
import type { OutgoingRecord } from '../records/outgoing-record.ts';
import { inBase64 } from '../text/masking.ts';
import { lookItUp } from './verdict.ts';

/** @param tokens  those that the service was shown */
export function withSafeReference(
  outcome: Outcome,
  kind: RecordKind,
  record: OutgoingRecord,
  tokens: readonly string[],
): Outcome {
  if ('message' in outcome) return outcome;
  const { url, attempts, httpStatus } = outcome;
  const companyId = holdsToken(outcome.companyId, tokens) ? null : outcome.companyId;
  const isUnsafe = holdsToken(url, tokens) || holdsSensitive(url, kind, record);
  const safe = { ...outcome, companyId, url: isUnsafe ? null : url };
  if (outcome.state !== 'created' || !holdsToken(outcome.id, tokens)) return safe;
  if (!kind.answersWithId) return { ...safe, state: 'accepted', id: null };
  const message = `The service gave the token back in place of the id of a record. ${lookItUp}`;
  return { state: 'in-doubt', attempts, httpStatus, message };
}

/** A shorter token may be a part of any id, and of any address. */
const shortestToken = 12;

function holdsToken(text: string | null, tokens: readonly string[]): boolean {
  if (text === null || tokens.length === 0) return false;
  const capitals = decoded(text).toUpperCase();
  return tokens.some((token) => token.length >= shortestToken && capitals.includes(token.toUpperCase()));
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** An SSN has nine digits, a date eight: fewer are numbers of anything. */
const fewestDigits = 8;
const digitsOfYear = 4;

function holdsSensitive(url: string | null, kind: RecordKind, { body }: OutgoingRecord): boolean {
  if (url === null) return false;
  const paths = sensitivePathsOf(kind);
  if (paths.length === 0) return false;
  const said = digitsOf(decoded(url));
  return paths.some((path) => {
    const value = String(memberAt(body, path) ?? '');
    if (inBase64(value).some((text) => url.includes(text))) return true;
    const digits = digitsOf(value);
    if (digits.length < fewestDigits) return false;
    // A date may stand there with its year at the other end, and its day before its month.
    const [atFront, atEnd] = [digits.slice(0, -digitsOfYear), digits.slice(-digitsOfYear)];
    const [year, rest] = [digits.slice(0, digitsOfYear), digits.slice(digitsOfYear)];
    const turned = [rest + year, rest.slice(2) + rest.slice(0, 2) + year, atEnd + atFront];
    return [digits, ...turned].some((order) => said.includes(order));
  });
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** Found out once a kind: this is asked for every row that goes in. */
const knownPaths = new WeakMap<RecordKind, readonly (readonly string[])[]>();

function sensitivePathsOf(kind: RecordKind): readonly (readonly string[])[] {
  const known = knownPaths.get(kind);
  if (known !== undefined) return known;
  const paths = fieldsOf(kind)
    .filter(({ place, facts }) => place === 'body' && facts.sensitive === true)
    .map(({ segments }) => segments.map(String));
  knownPaths.set(kind, paths);
  return paths;
}
