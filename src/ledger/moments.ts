/** Times as the ledger writes them, ISO 8601 in UTC, cut to what a person is told. */

/** `2026-11-21T22:46:46.409Z` to `2026-11-21` */
export function dayOf(moment: string): string {
  return moment.slice(0, 'YYYY-MM-DD'.length);
}

/** `2026-11-21T22:46:46.409Z` to `2026-11-21 22:46` */
export function minuteOf(moment: string): string {
  return moment.slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ');
}
