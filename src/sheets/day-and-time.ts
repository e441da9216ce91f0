/** A moment as a cell holds it: its day and its time, to the second. */

const dayLength = 'YYYY-MM-DD'.length;
const secondLength = 'YYYY-MM-DDTHH:MM:SS'.length;

/** In UTC: what a sheet says has no zone, and is read as if it had that. */
export function dayAndTime(moment: Date): { readonly day: string; readonly time: string } {
  const text = moment.toISOString();
  return { day: text.slice(0, dayLength), time: text.slice(dayLength + 1, secondLength) };
}
