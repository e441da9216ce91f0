const howRead = '“How it is read” on the page';

/** What a person can do, typed at a terminal and done on the page. A catalogue text names it in braces, `{to:allow total-row}`, or has both: `[shell?import|open]`. */
const ways = {
  allow: ['import with --allow {}', 'press “Send them anyway” where the page tells of it'],
  again: ['with --again', `with “Send every row again” under ${howRead}`],
  'trust-results': ['add --trust-results', `tick “Trust the Status cells of a results sheet” under ${howRead}`],
  'say-date-order': ['give --date-order {}', `choose {} under ${howRead}`],
  'start-refs-over': [
    'say so once: "refScope": "file", in a mapping or under "contract" in the profile',
    'tick that under “Say what each column is” on the page',
  ],
  'name-character-set': ['name {} character set with --encoding', `choose {} character set under ${howRead}`],
  'name-delimiter': ['name the right one with --delimiter', 'save the file with commas between its cells'],
  'new-plan': [
    'Make a new plan with --plan, look at it, and apply that one. Nothing was sent.',
    'Press “Back to the file” to see what would be sent now. Nothing was sent.',
  ],
  'lower-concurrency': [
    'Give a lower --concurrency, or raise the limit of open files (ulimit -n).',
    'Raise the limit of open files (ulimit -n), and start the page again.',
  ],
  'send-alone': ['with --batch 1', 'with "batch": 1 in its profile'],
  'say-what-is-there': [
    'type its id or link ("created" if it has none) or "not created" into the ID cell of the new results sheet and import that',
    'say what you found on its card under “Earlier loads” on the page',
  ],
  'name-folder': [
    'Put it there, or name its folder with --attachments FOLDER.',
    'Put it there. If you dropped the workbook on the page, open it in its own folder instead, with dealsheet open FILE.',
  ],
  'get-token': [
    'Replace it with a new one; dealsheet setup stores one.',
    'Get a new token, and save it under “Services” by the name of the service.',
  ],
} as const satisfies Readonly<Record<string, readonly [typed: string, onPage: string]>>;

const lookUp = <What extends string>(what: What) =>
  `The row may or may not be in: look in the service for ${what}, then {to:say-what-is-there}.` as const;
export const lookUpRecord = lookUp('the record');
export const lookItUp = lookUp('[isUpdate?the new values of the update|the record]');

/** For anything in a file that matches no field. */
export const sayHowItIsRead =
  'Say under “How it is read” what the rows and the columns are, or leave out what no field takes.';

let isOnPage = false;

/** From now on, texts address a person at the page. */
export function tellOnPage(is = true): void {
  isOnPage = is;
}

export function asReader(typed: string, onPage: string): string {
  return isOnPage ? onPage : typed;
}

/** @param what  replaces `{}` in the text */
export function wayTo(name: keyof typeof ways, what = ''): string {
  const [typed, onPage] = ways[name];
  return asReader(typed, onPage).replace('{}', () => what);
}

/** @param isSo  by the name of a choice; `null` leaves the choice open */
export function withWays(text: string, isSo: (name: string) => boolean | null = () => null): string {
  const words = withChoices(text, (name) => (name === 'shell' ? !isOnPage : isSo(name)));
  return words.replace(/\{to:([\w-]+) ?([\w-]*)\}/g, (_, name: keyof typeof ways, what: string) => wayTo(name, what));
}

/** Any words with choices in choices. */
const within = [1, 2, 3].reduce((inner) => String.raw`(?:[^[\]]|\[${inner}\])*`, String.raw`[^[\]]*`);
const part = String.raw`((?:[^[\]|]|\[${within}\])*)`;
/** `[name?words|other words]` */
const choice = new RegExp(String.raw`\[(\w+)\?${part}\|?${part}\]`, 'g');

function withChoices(text: string, isSo: (name: string) => boolean | null): string {
  if (!text.includes('[')) return text;
  return text.replace(choice, (whole, name: string, words: string, others: string) => {
    const is = isSo(name);
    return is === null ? `[${withChoices(whole.slice(1), isSo)}` : withChoices(is ? words : others, isSo);
  });
}
