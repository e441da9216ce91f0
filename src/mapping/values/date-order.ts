/** In which order the parts of a date are meant. */

/** The orders that a day shows by itself. */
export const shownOrders = ['mdy', 'dmy'] as const;
export type ShownOrder = (typeof shownOrders)[number];

/** In which a person may say that day, month and year are meant. */
export const dateOrders = [...shownOrders, 'ymd'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** What is known of a column's order: one, none yet, or two that contradict each other. */
export type ColumnOrder = DateOrder | 'unknown' | 'contradictory';
