/** What programs and people write where there is nothing. It counts as blank, but for free text, where it may be a name. */

/** In these cases of letters alone: Nan, Nat and Nil are first names, and Null is a last one. */
const wordForNothing =
  /^(?:[Nn]\/[Aa]|NA|NULL|null|[([]null[)\]]|[([]NULL[)\]]|NaN|nan|NaT|nil|none|None|NONE|undefined|\\N|\((?:blank|empty)\)|[Nn]ot (?:applicable|available|provided)|[-\u2012-\u2015\u2212]{1,3})$/;
/** What words for nothing begin with, and no more characters than they have: a regular expression for each cell took 3 µs a row. */
const beginnings = ' \tnNu([\\-\u2012\u2013\u2014\u2015\u2212';
const longest = 24;

export function standsForNothing(text: string): boolean {
  return text.length <= longest && beginnings.includes(text.charAt(0)) && wordForNothing.test(text.trim());
}
