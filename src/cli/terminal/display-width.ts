/** How many columns of a terminal a text takes: a sign of Chinese, Japanese or Korean and most pictures take two. */

const onlyPlain = /^[\x20-\x7E]*$/;
const wide =
  /[\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Bopomofo}|\p{Script=Yi}|\p{Emoji_Presentation}/u;
/** Accents, and what joins or shapes its neighbours. */
const without = /\p{Mn}|\p{Me}|\p{Cf}/u;

export function displayWidth(text: string): number {
  if (onlyPlain.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

function widthOf(character: string): number {
  if (without.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** The text in so many columns: where it is wider, its middle gives way to a mark, since names differ at their ends. */
export function shortenedTo(columns: number, text: string): string {
  if (displayWidth(text) <= columns) return text;
  const room = columns - 1;
  const characters = [...text];
  const start = asMany(characters, Math.ceil(room / 2));
  const end = asMany(characters.toReversed(), Math.floor(room / 2)).toReversed();
  return `${start.join('')}…${end.join('')}`;
}

function asMany(characters: readonly string[], columns: number): readonly string[] {
  let width = 0;
  const count = characters.findIndex((character) => {
    width += widthOf(character);
    return width > columns;
  });
  return count === -1 ? characters : characters.slice(0, count);
}
