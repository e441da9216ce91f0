export const howRead = '“How it is read” on the page';

/** What a person does at a terminal and on the page. Any text may have both: `[shell?import|open]`. */
const both = <Typed extends string, OnPage extends string>(typed: Typed, onPage: OnPage) =>
  `[shell?${typed}|${onPage}]` as const;

export const allow = <Code extends string>(code: Code) =>
  both(`import with --allow ${code}`, 'press “Send them anyway” where the page tells of it');
export const again = both('with --again', `with “Send every row again” under ${howRead}`);
export const trustResults = both(
  'add --trust-results',
  `tick “Trust the Status cells of a results sheet” under ${howRead}`,
);
export const nameCharacterSet = <Which extends string>(which: Which) =>
  both(`name ${which} character set with --encoding`, `choose ${which} character set under ${howRead}`);
export const makeNewPlan = both(
  'Make a new plan with --plan, look at it, and apply that one. Nothing was sent.',
  'Press “Back to the file” to see what would be sent now. Nothing was sent.',
);

const sayWhatIsThere = both(
  'type its id or link ("created" if it has none) or "not created" into the ID cell of the new results sheet and import that',
  'say what you found on its card under “Earlier loads” on the page',
);
const lookUp = <What extends string>(what: What) =>
  `The row may or may not be in: look in the service for ${what}, then ${sayWhatIsThere}.` as const;
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

/** Any words with choices in choices. */
const within = [1, 2, 3].reduce((inner) => String.raw`(?:[^[\]]|\[${inner}\])*`, String.raw`[^[\]]*`);
const part = String.raw`((?:[^[\]|]|\[${within}\])*)`;
/** `[name?words|other words]` */
const choice = new RegExp(String.raw`\[(\w+)\?${part}\|?${part}\]`, 'g');

/** @param isSo  by the name of a choice; `null` leaves the choice open */
export function withChoices(text: string, isSo: (name: string) => boolean | null = () => null): string {
  if (!text.includes('[')) return text;
  return text.replace(choice, (whole, name: string, words: string, others: string) => {
    const is = name === 'shell' ? !isOnPage : isSo(name);
    return is === null ? `[${withChoices(whole.slice(1), isSo)}` : withChoices(is ? words : others, isSo);
  });
}
