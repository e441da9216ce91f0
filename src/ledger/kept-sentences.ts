/**
 * Sentences that are data: a row is known by what the ledger says of it.
 * Their one rule: they stand in ledgers that are written already, so none of them is ever reworded.
 */

/** By these two what a person has settled by mistake is found, and settled anew. */
export const settledAsCreated = 'Settled by hand: the service has it.';
export const settledAsNotCreated = 'Settled by hand: the service does not have it.';

/** Of a row that was left on its way; by it an update is known, which goes out again, and may have been applied. */
export const leftInDoubt = 'The load stopped before the answer came.';

/** Ends what is said of a row that is in, and by now says something else: such rows are counted. */
export const saysSomethingElse =
  'The row says something else than when it went in: that was not sent. If rows were sorted without their first six columns, put them back.';

/** The same of a row with a cell that cannot be read, as it could when the row went in. */
export const saysNothingReadable =
  'What the row says now cannot be read, though it could when the row went in: that was not sent.';

/** Of a row that is in, for a record of another id than the one that it names by now: such rows are counted too. */
export const parentIsAnother = 'The record that it names has another id since then.';

/** The same of an attachment that is in, with what stood in its file then. */
export const fileIsAnother = 'Its file has been written anew since then.';

/** Ends what is said of a row of another file that says what a corrected row said: such rows are counted too. */
export const saidBeforeCorrected =
  'Before it was corrected there, it said what this row says, so this row was not sent. If this is another record, load it in a file of its own with --again.';

/** Of an update that is in, where a later load has updated its company: such rows are counted too. */
export const updatedSince = 'and may have changed what this row says.';

/** Of a cell by its label, in the results of a row: the merge that hid that it is blank is not in them. */
export const blankBelowMerge = ' is blank here: the cell ';

/** Of an update that says what its export said: by it a row is known of which nothing was ever sent. */
export const asExported = 'No value in this row was changed since the export: nothing was sent.';
