/** Values that rows sent and an answer may repeat, as texts that can be compared. */

const isoDay = /^\d{4}-\d\d-\d\d$/;
/** In milliseconds: over a weekend and the holidays beside it. */
const longestMove = 5 * 24 * 60 * 60 * 1000;
const midnight = /^(\d{4}-\d\d-\d\d)T00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;
const decimal = /^-?\d{1,15}\.\d{1,6}$/;

export function wholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

export function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  // A day may come back as its midnight, whatever the zone is called.
  const [, day] = midnight.exec(value) ?? [];
  if (day !== undefined) return day;
  // An amount may come back as a text, or with other zeros; a word in capitals.
  return decimal.test(value) ? String(Number(value)) : value.toLowerCase();
}

/** In which rows each text stands. */
export function placesOf(texts: readonly (string | null)[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  texts.forEach((text, row) => {
    if (text === null) return;
    const known = places.get(text);
    if (known === undefined) places.set(text, [row]);
    else known.push(row);
  });
  return places;
}

/** Whether a service moved a day to the next business day, which another row has: no item says the day that was sent. */
export function isMovedDay(sent: string | null, said: string, allSaid: ReadonlySet<string | null>): boolean {
  if (sent === null || allSaid.has(sent) || !isoDay.test(sent) || !isoDay.test(said)) return false;
  return Math.abs(Date.parse(said) - Date.parse(sent)) <= longestMove;
}

/** `{ "data": { "attributes": { "amount": 20 } } }`: what JSON:API (jsonapi.org) puts around a record. */
export const deepestEcho = 2;
