/** Why balances cannot be written as a whole, and what to do: by code. */

interface Told {
  readonly message: string;
  readonly remedy: string;
}

const inProfile = (members: string) => `"contract": { "balances": { ${members} } }`;
const allAtOnce = 'ask for all at once with --query (such as --query limit=100000)';
const declarePages = `Ask for all at once with --query (such as --query limit=100000), or declare in the profile how pages are asked for: ${inProfile('"pages": { "by": "page", "parameter": "page" }')}.`;
const declareRecords = `Declare in the profile where the balances stand: ${inProfile('"records": "path.to.them", "shape": "list"')}. The shape is list, keyed or rows.`;
const kinds: Readonly<Record<string, string>> = {
  link: 'a header that names the next page',
  asked: 'a parameter of the request, and exactly so many came',
  address: 'an address',
  token: 'a text such as a cursor',
  flag: 'a flag',
  count: 'a number',
};
const beside = (told: string) => `The service says beside its balances that ${told}`;

interface MayBeMore {
  readonly records: number;
  readonly seen: readonly { readonly kind: string; readonly path: string }[];
  /** How many more were seen. */
  readonly others: number;
  /** What may be declared, as JSON. */
  readonly pages: string;
}

export const balanceTexts = {
  'says-no': ({ reason }: { reason: string }): Told => ({
    message: `The service said no${reason === '' ? '.' : `: ${reason}`}`,
    remedy: 'Nothing was exported.',
  }),
  'no-records': ({ what }: { what: string }): Told => ({
    message: `The answer of the service ${what}: there is nothing to make a table of.`,
    remedy: declareRecords,
  }),
  'several-lists': ({ lists }: { lists: readonly string[] }): Told => ({
    message: `The answer of the service holds several lists, and none is where balances usually are: ${lists.join(', ')}.`,
    remedy: declareRecords,
  }),
  'broken-record': ({ place }: { place: string }): Told => ({
    message: `The service gave something as a balance that is not one: ${place}.`,
    remedy: declareRecords,
  }),
  'other-row': ({ row, values, columns }: { row: number; values: number; columns: number }): Told => ({
    message: `Row ${row} of the balances has ${values} values for ${columns} columns.`,
    remedy: 'Try again. If it happens again, tell the people who run the service.',
  }),
  'unusable-header': ({ at }: { at: string }): Told => ({
    message: `The names of the columns (${at}) are missing, blank, or there twice: a value could be lost, or stand in another column.`,
    remedy: `Declare in the profile where they stand: ${inProfile('"header": "path.to.the.names"')}.`,
  }),
  'other-key': ({ key, column }: { key: string; column: string }): Told => ({
    message: `The balance with the key ${key} has a "${column}" of its own that says something else.`,
    remedy: `Give the key a column of its own in the profile: ${inProfile('"keyColumn": "key"')}.`,
  }),
  'page-twice': ({ path }: { path: string }): Told => ({
    message: `The service gave the same page twice (${path}): following its pages would never end, or the records would be doubled.`,
    remedy: declarePages,
  }),
  'empty-pages': ({ pages }: { pages: number }): Told => ({
    message: `The service gave ${pages} pages without a record, one after the other, and each says that there are more.`,
    remedy: declarePages,
  }),
  'unknown-pages': ({ records }: { records: number }): Told => ({
    message: `The service gave ${records} records and says that there are more, but not how to ask for the others: an export would be incomplete.`,
    remedy: declarePages,
  }),
  /** `seen` are paths without their values: one of those could be a secret. */
  'may-be-more': ({ records, seen, others, pages }: MayBeMore): Told => ({
    message: [
      `The service gave ${records} records and more beside them: `,
      ...[seen.map(({ kind, path }) => `${path} (${kinds[kind]})`).join(', '), others > 0 ? ` and ${others} more` : ''],
      '. There may be further pages, and an export would be incomplete.',
    ].join(''),
    remedy: [
      `If this is all, say so in the profile: ${inProfile('"pages": { "by": "none" }')}.`,
      `If there is more, declare how it is asked for, such as ${inProfile(`"pages": ${pages}`)}; docs/profiles.md has the other ways.`,
    ].join(' '),
  }),
  'other-total': ({ records, total, at }: { records: number; total: number; at: string }): Told => ({
    message: `The service gave ${records} records and says that there are ${total} (${at}): an export could be incomplete.`,
    remedy: `Try again, or ${allAtOnce}. If that is not their number, declare it: ${inProfile('"total": null')}, or the path of the number.`,
  }),
  changed: ({ at, before, now }: { at: string; before: number; now: number }): Told => ({
    message: `The list changed while it was read: the service counted ${before}, and on a later page ${now} (${at}). A balance may be missing or stand there twice.`,
    remedy: `Try again, or ${allAtOnce}. If the number counts something else, declare where the total stands, or that nothing is it: ${inProfile('"total": null')}.`,
  }),
  'went-wrong': ({ told }: { told: string }): Told => ({
    message: `${beside(told)}: an export could be incomplete.`,
    remedy: `Try again. If the balances are all there in spite of it, take the name out in the profile: ${inProfile('"errors": […]')}.`,
  }),
  'not-whole': ({ told }: { told: string }): Told => ({
    message: `${beside(told)}, and not how to ask for the others: an export would be incomplete.`,
    remedy: `Try again, or ${allAtOnce}. If the balances are all there in spite of it, take the name out in the profile: ${inProfile('"incomplete": […]')}.`,
  }),
  'on-two-pages': ({ name, id }: { name: string; id: string }): Told => ({
    message: `The service gave the record with the ${name} ${id} on two of its pages: its balance would be counted twice, and another one may be missing.`,
    remedy: `The list may have changed while it was read: try again, or ${allAtOnce}. If a loan has several records, name a column in which each has its own value: ${inProfile('"key": "Column"')}.`,
  }),
  'broken-json': ({ why }: { why: string }): Told => ({
    message: `The answer of the service is not complete JSON: ${why}.`,
    remedy: 'Try again. If it happens again, tell the people who run the service.',
  }),
} as const;

/** What a person should know of balances that are written all the same. */
export const balanceNotices = {
  said: (text: string) => `The service says beside the balances: ${text}`,
  'same-id': (name: string, ids: string) =>
    `Several records have the same ${name}, and each of them is counted: ${ids}. Look whether a loan stands there twice.`,
} as const;
