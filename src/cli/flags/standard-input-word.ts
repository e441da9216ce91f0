/** yargs takes a lone `-` for nothing: it goes through the parser under this name. */
export const standardInputWord = '<standard input>';
