/** The words of currencies, as number formats write them in front of amounts and behind them. */

/** What is written of a currency in its own country, without a point behind it. */
const written = new Set(
  'kr Kr KR Rs rs zł Kč Ft lei Lei leu Fr fr SFr sFr sfr RM R Rp kn TL DM KM Bs Br Ksh KSh Tsh TSh Ush USh Lek Lt Ls Gs B/ S/ лв руб р ден дин din'.split(
    ' ',
  ),
);
const spelledOut = /^(?:euros?|dollars?|pounds?|francs?|pesos?|yen)$/i;

let codes: ReadonlySet<string> | null = null;

/** `USD`, `kr.`, `US$`; not what else stands beside digits, such as `DR` or `INV-`. */
export function isCurrency(word: string): boolean {
  if (/\p{Sc}/u.test(word)) return true;
  codes ??= new Set(Intl.supportedValuesOf('currency'));
  const bare = word.replace(/\.$/, '');
  return codes.has(bare) || written.has(bare) || spelledOut.test(bare);
}
