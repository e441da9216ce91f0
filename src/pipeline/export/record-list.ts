/**
 * Finds the list of records in an answer whose shape nobody has shown (service interface 4.12), and reads them one by one.
 */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import { DealsheetError } from '../../errors.ts';
import {
  BrokenJson,
  ExactNumber,
  isJsonObject,
  type JsonObject,
  type JsonReader,
  type JsonValue,
  noWholeJson,
} from './exact-json.ts';
import { openAnswer } from './kept-answers.ts';
import { asBefore } from './read-fault.ts';
import { noSaidBy } from './said-no.ts';

/** What stands around the records. A list is known by what is in it, and is not held. */
export type Around = ReadonlyMap<string, AroundValue>;
export type AroundValue = null | boolean | string | ExactNumber | ListFound | Around;

export class ListFound {
  readonly length: number;
  /** Whether everything in it is an object, so that it can be a list of records. */
  readonly holdsRecords: boolean;

  constructor(length: number, holdsRecords: boolean) {
    this.length = length;
    this.holdsRecords = holdsRecords;
  }
}

export interface FoundList {
  /** The names that lead to the list; none when the answer is the list. */
  readonly path: readonly string[];
  readonly length: number;
  readonly around: Around;
  /** The same, with what stands nearer to the records in its place: `{ "data": { "items": […], "page": 1 } }`. */
  readonly beside: Around;
}

/** Lists are looked for so many objects deep. */
const deepestList = 4;
const mostMembers = 10_000;

/**
 * @param shown  the text of an answer as it may be shown
 * @throws DealsheetError `output-failed` when there is no list of records, or it cannot be told which
 */
export function findRecords(answer: string, contract: ContractSettings, shown: (text: string) => string): FoundList {
  const root = reading(answer, (reader) => {
    const found = around(reader, 0);
    reader.end();
    return found;
  });
  if (root instanceof ListFound) {
    if (!root.holdsRecords) throw noList('is a list, but not of records');
    return { path: [], length: root.length, around: new Map(), beside: new Map() };
  }
  if (!(root instanceof Map)) throw noList('is a single value');
  const no = noSaidBy((path) => aroundAt(root, path), contract, shown);
  if (no !== null) {
    throw new DealsheetError('output-failed', no, `Nothing was exported. ${asBefore}`);
  }
  const path = pathOfRecords(root, contract.balances.records, shown);
  const list = at(root, path);
  if (!(list instanceof ListFound)) throw noList('holds no list of records');
  return { path, length: list.length, around: root, beside: besideRecords(root, path) };
}

function besideRecords(root: Around, path: readonly string[]): Around {
  const members = new Map(root);
  let around: AroundValue | undefined = root;
  for (const name of path.slice(0, -1)) {
    around = around instanceof Map ? around.get(name) : undefined;
    if (around instanceof Map) for (const [each, value] of around as Around) members.set(each, value);
  }
  return members;
}

/** Reads the records of a kept answer, in its order. */
export function* recordsOf(answer: string, path: readonly string[]): Generator<JsonObject> {
  const { reader, close } = openAnswer(answer);
  try {
    enter(reader, path);
    for (const index of reader.items()) {
      const record = reader.value();
      if (!isJsonObject(record)) throw noList(`has something at place ${index + 1} of its list that is no record`);
      yield record;
    }
  } catch (error) {
    throw broken(error);
  } finally {
    close();
  }
}

/** The value at a dotted path of what stands around the records. */
export function aroundAt(root: Around, path: string): AroundValue | undefined {
  return at(root, path.split('.'));
}

function reading<Result>(answer: string, read: (reader: JsonReader) => Result): Result {
  const { reader, close } = openAnswer(answer);
  try {
    return read(reader);
  } catch (error) {
    throw broken(error);
  } finally {
    close();
  }
}

function around(reader: JsonReader, depth: number): AroundValue {
  const next = reader.peek();
  if (next === '[') return listFound(reader);
  if (next !== '{') return plain(reader.value());
  const members = new Map<string, AroundValue>();
  for (const name of reader.members()) {
    if (depth >= deepestList || members.size >= mostMembers) reader.skip();
    else members.set(name, around(reader, depth + 1));
  }
  return members;
}

function listFound(reader: JsonReader): ListFound {
  let length = 0;
  let holdsRecords = true;
  for (const _ of reader.items()) {
    length += 1;
    if (reader.peek() !== '{') holdsRecords = false;
    reader.skip();
  }
  return new ListFound(length, holdsRecords);
}

function plain(value: JsonValue): null | boolean | string | ExactNumber {
  return value === null || typeof value !== 'object' || value instanceof ExactNumber ? value : null;
}

function at(root: Around, path: readonly string[]): AroundValue | undefined {
  let current: AroundValue | undefined = root;
  for (const name of path) current = current instanceof Map ? current.get(name) : undefined;
  return current;
}

/** The names that are usual for lists, each also within an object, then any list that is alone. */
function pathOfRecords(root: Around, usual: readonly string[], shown: (text: string) => string): readonly string[] {
  const isList = (path: readonly string[]): boolean => {
    const found = at(root, path);
    return found instanceof ListFound && found.holdsRecords;
  };
  const direct = usual.map((path) => path.split('.')).find(isList);
  if (direct !== undefined) return direct;
  const objects = [...root].flatMap(([name, value]) => (value instanceof Map ? [name] : []));
  const nested = usual.flatMap((path) => objects.map((name) => [name, ...path.split('.')])).find(isList);
  if (nested !== undefined) return nested;
  const all = listsIn(root, []);
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  if (only === undefined) throw noList('holds no list of records');
  throw new DealsheetError(
    'output-failed',
    `The answer of the service holds several lists, and none is where balances usually are: ${shown(all.map((path) => path.join('.')).join(', '))}.`,
    `Name the right one in the profile: "contract": { "balances": { "records": ["${shown(only.join('.'))}"] } }.`,
  );
}

function listsIn(root: Around, before: readonly string[]): readonly (readonly string[])[] {
  return [...root].flatMap(([name, value]): readonly (readonly string[])[] => {
    const path = [...before, name];
    if (value instanceof ListFound) return value.holdsRecords && value.length > 0 ? [path] : [];
    return value instanceof Map ? listsIn(value, path) : [];
  });
}

function enter(reader: JsonReader, path: readonly string[]): void {
  for (const wanted of path) {
    let isFound = false;
    for (const name of reader.members()) {
      if (name === wanted) {
        isFound = true;
        break;
      }
      reader.skip();
    }
    if (!isFound) throw noList('holds no list of records');
  }
}

function noList(what: string): DealsheetError {
  return new DealsheetError(
    'output-failed',
    `The answer of the service ${what}: there is nothing to make a table of.`,
    `When the records stand somewhere else in it, name the place in the profile: "contract": { "balances": { "records": ["path.to.the.list"] } }. ${asBefore}`,
  );
}

function broken(error: unknown): unknown {
  if (!(error instanceof BrokenJson)) return error;
  return new DealsheetError(
    'output-failed',
    noWholeJson(error),
    `Try again. When it stays so, tell those who run the service. ${asBefore}`,
    { cause: error },
  );
}
