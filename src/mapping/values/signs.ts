/** The sign of an amount that is text, and the dashes that look like one. */

/** `1.250,-`, `100.\u2013`, `1.250,--`: dashes behind the decimal mark stand for no cents, and are no sign of a negative. */
export const dashForCents =
  /[-\u2012-\u2015\u2212](?<=\d[.,]\s*.)[-\u2012-\u2015\u2212]?(?=[^-\d\u2012-\u2015\u2212]*$)/;

/** `5`, `$5.00` and `+5` to `-5`, `-$5.00` and `-5`; `-5`, `5-` and `(5)` to `5`; a dash for cents stays where it is. */
export function withSignTurned(text: string): string {
  const cents = dashForCents.exec(text);
  const centsAt = cents?.index ?? text.length;
  const digits = text.slice(0, centsAt);
  const behind = text.slice(centsAt + (cents?.[0].length ?? 0));
  const isNegative = negativeInFront.test(digits) || negativeBehind.test(digits + behind);
  if (!isNegative) return `-${text.trim().replace(/^\+/, '')}`;
  return withoutSigns(digits) + (cents?.[0] ?? '') + withoutSigns(behind);
}

const negativeInFront = /^\D*[-\u2012\u2013\u2212(]/;
const negativeBehind = /[-\u2012\u2013\u2212)]\D*$/;

function withoutSigns(text: string): string {
  return text.replace(/[-\u2012\u2013\u2212()]/g, '');
}
