/** The label of a total, as people and programs write it. */
const totals = String.raw`(?:(?:grand|running|overall)\s+)?(?:sub[\s-]?)?totals?|sum`;
const wholeLabel = new RegExp(String.raw`^[^\p{L}\d]*(?:${totals})[^\p{L}\d]*$`, 'iu');
const beginsAsLabel = new RegExp(String.raw`^[^\p{L}\d]*(?:${totals})(?![\p{L}\d])`, 'iu');
/** Asked of every text of every row: a regular expression that knows all letters takes 20 times as long. */
const mayBeLabel = /tot|sum/i;

/** `Total`, `GRAND TOTAL:`, `Sub-total`, and nothing else. */
export function isTotalLabel(cell: unknown): cell is string {
  return typeof cell === 'string' && mayBeLabel.test(cell) && wholeLabel.test(cell);
}

/** `Total of October`, and whole labels. */
export function beginsAsTotal(cell: unknown): cell is string {
  return typeof cell === 'string' && mayBeLabel.test(cell) && beginsAsLabel.test(cell);
}
