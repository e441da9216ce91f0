/** The words by which a row calls itself a total, a count or the like, or the balance of an account. Companies and payments may be called so, too. */

const totalWords = /\b(?:sub-?)?totals?\b|\bsum\b|\bbalance\b/i;

const figures =
  '(?:average|avg|mean|median|(?:min|max)(?:imum)?|(?:row |record )?count|number of (?:rows|records|items))';

/** `Average`, `Count:`, `MAX`, and nothing else: the other figures that a spreadsheet puts under a table. */
const figure = new RegExp(`^[^\\p{L}\\d]*${figures}[^\\p{L}\\d]*$`, 'iu');

/** Asked of every text of every row, it knows no letters but those of ASCII: with those of Unicode it took 20 times as long. */
const anyOfBoth = new RegExp(`${totalWords.source}|^[\\W_]*${figures}[\\W_]*$`, 'i');

const totalLabel = /^[^\p{L}\d]*(?:(?:grand |running )?(?:sub-?)?totals?\b|sum\b|balance[^\p{L}\d]*$)/iu;

/** `Total`, `GRAND TOTAL:`, `Sub-total`, and nothing else. */
const plainLabel = /^[^\p{L}\d]*(?:(?:(?:grand|running|overall)\s+)?(?:sub[\s-]?)?totals?|sum|balance)[^\p{L}\d]*$/iu;

/** `Beginning balance as of 11/01/2026`, `Balance forward`. */
const balanceOfAccount =
  /^\P{L}*(?:(?:beginning|opening|starting|previous|ending|closing)\s+(?:\w+\s+)?balance\b|balance\s+(?:brought\s+|carried\s+)?forward\b)/iu;

/** The same and a day, and nothing else: no `Opening balance correction`. */
const behindBalance = /^\s*(?:(?:as of|on|at|per|for)\b.*|\P{L}*)$/iu;

/** Whether a text has a word for a total in it. */
export function saysTotal(text: string): boolean {
  return totalWords.test(text);
}

/** Whether a text is the label of an average, a count or the like and nothing besides. */
export function isLabelOfFigure(text: string): boolean {
  return figure.test(text);
}

/** Either of the two, in one look. */
export function saysTotalOrFigure(text: string): boolean {
  return anyOfBoth.test(text);
}

/** Whether a text begins as the label of a total does. `Balance advanced` may be what a payment is called. */
export function isLabelOfTotal(text: string): boolean {
  return totalLabel.test(text);
}

/** Whether a text is the label of a total and nothing besides: `Total Wine` is what a company is called. */
export function isPlainLabel(text: string): boolean {
  return plainLabel.test(text);
}

/** Whether a text says the balance of an account and nothing besides. */
export function isBalanceOfAccount(text: string): boolean {
  const said = balanceOfAccount.exec(text);
  return said !== null && behindBalance.test(text.slice(said[0].length));
}
