/** The order of day, month and year in a date. */

export const shownOrders = ['mdy', 'dmy'] as const;
export type ShownOrder = (typeof shownOrders)[number];

/** The orders that a person may choose. */
export const dateOrders = [...shownOrders, 'ymd'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** The inferred order of a column: one order, none yet, or two that contradict each other. */
export type ColumnOrder = DateOrder | 'unknown' | 'contradictory';
