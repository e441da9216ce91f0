/**
 * How far a text looks as people write it: read in the wrong character set, letters become signs within words, or capitals behind
 * small letters (`CafŽ`, `Pe–a`, `JoeÕs`).
 */

/** No text of people holds one. */
const noCharacter = /[\ufffd\p{Cc}\p{Cn}\p{Co}]/u;
const small = /\p{Ll}/u;
const capital = /\p{Lu}/u;
const letter = /\p{L}/u;
/** Signs that stand behind words: ends of quotes, marks of trade, footnotes, ordinals. */
const behindWords = /[’”»™®©°…ºª·•–—€§\s]/u;
/** And in front of them; a currency stands before digits. */
const beforeWords = /[“‘„«»’”¿¡©®•·–—…§\s]/u;
/** A Western word has one letter or two of them side by side: more is a word of another alphabet. */
const beyondAscii = /^[\u00c0-\u017f]{3}$/u;
const apostrophe = /[’‘\u2010\u2011]/u;

/** @returns how many of the characters beyond ASCII stand where none of their kind does, and how many there are */
export function strangeCharacters(text: string): { readonly strange: number; readonly all: number } {
  let [strange, all] = [0, 0];
  for (let index = 0; index < text.length && all < enough; index += 1) {
    const character = text.charAt(index);
    if (character < '\u0080') continue;
    all += 1;
    const before = text.slice(Math.max(0, index - 3), index);
    const isOfOtherWord = beyondAscii.test(before) && beyondAscii.test(text.slice(index - 2, index + 1));
    if (isOfOtherWord) strange += 1;
    else if (isStrange(character, text.charAt(index - 2), text.charAt(index - 1), text.charAt(index + 1))) strange += 1;
  }
  return { strange, all };
}

/** What more of them would tell is known by then. */
const enough = 5000;

function isStrange(character: string, secondBefore: string, before: string, next: string): boolean {
  if (noCharacter.test(character)) return true;
  if (capital.test(character)) return small.test(before);
  if (small.test(character)) {
    const isBehindCapitals = capital.test(before) && (capital.test(secondBefore) || capital.test(next));
    return isBehindCapitals || (!letter.test(before) && capital.test(next));
  }
  if (letter.test(character)) return false;
  const isWithinWord = (small.test(before) && small.test(next)) || (capital.test(before) && capital.test(next));
  if (isWithinWord) return !apostrophe.test(character);
  if (letter.test(before)) return !letter.test(next) && !behindWords.test(character);
  return letter.test(next) && !beforeWords.test(character);
}

const usualEnds = /^(?:s|t|d|m|ll|re|ve|em|n)?(?![\p{L}])/iu;
const usualBeginnings = /(?:^|[^\p{L}])(?:[odl]|ma|all?|dell|rock|n)$/iu;
/** Letters of Windows-1252 whose bytes are letters of Western Europe in Mac Roman, and the mark that is í there. */
const doubtful = /[ŠšŽžŸœŒƒ’]/gu;

/** @returns the first word of a text in Windows-1252 that is as likely to be another one in Mac Roman, or `null` */
export function doubtfulWord(text: string): string | null {
  for (const { index, 0: character } of text.matchAll(doubtful)) {
    const before = text.slice(Math.max(0, index - longestWord), index);
    const behind = text.slice(index + 1, index + 1 + longestWord);
    const isUsual =
      character === '’' && (usualEnds.test(behind) || usualBeginnings.test(before) || !letter.test(before.slice(-1)));
    if (!isUsual) return `${/[\p{L}’]*$/u.exec(before)?.[0]}${character}${/^[\p{L}’]*/u.exec(behind)?.[0]}`;
  }
  return null;
}

const longestWord = 30;
