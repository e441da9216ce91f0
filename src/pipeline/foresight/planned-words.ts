/** What is said of rows by what was decided of them. */
import type { PlannedCounts } from './planned-decisions.ts';

export const plannedWords: Readonly<Record<keyof PlannedCounts, string>> = {
  toSend: 'to be sent',
  onceMore: 'in already and would go out once more',
  alreadyLoaded: 'in already',
  inDoubt: 'in doubt',
  waiting: 'waiting for rows that are not in',
  heldBack: 'held back',
};
