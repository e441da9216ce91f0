/** What is said of rows by what was decided of them. */
export const plannedWords = {
  toSend: 'to be sent',
  onceMore: 'already loaded and would be sent again',
  alreadyLoaded: 'already loaded',
  changedSinceLoaded: 'in, and changed since',
  unchanged: 'unchanged since the export',
  inDoubt: 'in doubt',
  waiting: 'waiting for rows that are not in',
  heldBack: 'not sent this time',
} as const;
