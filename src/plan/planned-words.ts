/** What is said of rows by what was decided of them. */
export const plannedWords = {
  toSend: 'to be sent',
  onceMore: 'in already and would go out once more',
  alreadyLoaded: 'in already',
  changedSinceLoaded: 'in, and changed since',
  unchanged: 'unchanged since the export',
  inDoubt: 'in doubt',
  waiting: 'waiting for rows that are not in',
  heldBack: 'not sent this time',
} as const;
