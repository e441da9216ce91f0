/** The flag that was meant by one that a command does not have: its letters are nearly the same, or it was begun and not finished. */
import { distance } from 'fastest-levenshtein';

/** A letter that is wrong, missing or too many for each four that were typed. */
const lettersForOneSlip = 4;
const fewestLetters = 3;

/**
 * @param typed  with its dashes, as in `--sandbx`
 * @param known  the names of the command's flags, without dashes
 * @returns the flag with its dashes; `null` where none is near, or several are as near as each other
 */
export function nearFlag(typed: string, known: readonly string[]): string | null {
  const name = typed.replace(/^-+/, '');
  if (!typed.startsWith('--') || name.length < fewestLetters) return null;
  const words = known.filter((flag) => flag.length >= fewestLetters && flag === flag.toLowerCase());
  const most = Math.max(1, Math.floor(name.length / lettersForOneSlip));
  const slips = (flag: string) => (flag.startsWith(name) ? 1 : distance(name, flag));
  const fewest = Math.min(...words.map(slips));
  const nearest = words.filter((flag) => slips(flag) === fewest);
  return fewest <= most && nearest.length === 1 ? `--${nearest[0]}` : null;
}
