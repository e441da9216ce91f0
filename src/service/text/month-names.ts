/** Months as languages name them: a service may write a date in the words of the country that its computer stands in. */

const languages = [
  ...['ar', 'bg', 'ca', 'cs', 'da', 'de', 'el', 'en', 'es', 'et', 'fi', 'fil', 'fr', 'he'],
  ...['hi', 'hr', 'hu', 'id', 'it', 'ko', 'lt', 'lv', 'ms', 'nb', 'nl', 'pl', 'pt', 'ro'],
  ...['ru', 'sk', 'sl', 'sr', 'sv', 'sw', 'th', 'tr', 'uk', 'vi', 'zh'],
];
/** Beside a day, some languages give a month another ending. */
const forms: readonly Intl.DateTimeFormatOptions[] = [
  { month: 'long' },
  { day: 'numeric', month: 'long' },
  { day: 'numeric', month: 'short' },
];
const romanNumbers = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii'];

/** Made when the first word is asked for: nearly no message has one. */
let numbers: ReadonlyMap<string, ReadonlySet<number>> | null = null;

/** The months from 1 that a word may name: `listopad` is October in Croatia, and November in Poland. */
export function monthsNamed(word: string): ReadonlySet<number> {
  numbers ??= numbersOfNames();
  return numbers.get(word.toLowerCase()) ?? noMonths;
}

const noMonths: ReadonlySet<number> = new Set();

function numbersOfNames(): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>();
  const add = (name: string, index: number): void => {
    found.set(name, (found.get(name) ?? new Set()).add(index + 1));
  };
  romanNumbers.forEach(add);
  const firstDays = romanNumbers.map((_, index) => new Date(Date.UTC(2001, index, 1)));
  for (const form of languages.flatMap((language) => forms.map((one) => formatOf(language, one)))) {
    firstDays.forEach((day, index) => {
      const name = form.formatToParts(day).find(({ type }) => type === 'month')?.value;
      // Vietnam and Korea number them.
      if (name !== undefined && !/\p{N}/u.test(name)) add(name.toLowerCase().replace(/[\s.]+$/, ''), index);
    });
  }
  return found;
}

function formatOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC', calendar: 'gregory' });
}
