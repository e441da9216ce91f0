/** What a sheet of Excel holds at most (Excel specifications and limits). */

export const mostRows = 1_048_576;
export const mostColumns = 16_384;
export const mostLinks = 65_530;
