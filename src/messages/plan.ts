/** Why a row is not sent, one text per reason of a decision; and what remains of a load that was interrupted. */
import { again, allow, lookItUp, lookUpRecord, trustResults } from './ways.ts';

const place = '{source}, {sheet}[row? row {row}], on {day} (run {run})';
const named = `[record?{record}, from ]${place}` as const;
const resolve =
  `${lookItUp}[shell?[row? Or use: <dealsheet resolve {run} --row {sheet}!{row} --created ID>, or --not-created]]` as const;

/** What is named is completed for the person, as in `deal with the Ref "D-2"`: the ledger does not store it. */
const parent = '[named?the {named}|the row that it belongs to]';

/** @param remedy  for a row that is not sent all the same */
const unlessAllowed = <Remedy extends string>(remedy: Remedy) =>
  `[isAllowed?You chose to send the row all the same.|${remedy}]` as const;

export const planTexts = {
  'already-loaded': `Loaded from ${place}.`,
  'loaded-otherwise': `Loaded from ${place}, where it had been corrected or was read otherwise: it went in with other values than it has here. If this is another record, load it in a file of its own ${again}.`,
  'changed-since-loaded': `[hasUnread?Cells of this row cannot be read, so it is not known whether it still has the values of ${named}. Correct those cells: the other messages name them. No change is sent.|[fields?{fields} changed since the row went in|The row changed since it went in] as ${named}: the change is not sent. If it is right, change the record in the service[isCompany?[updatesOf?[shell?, or load the change as an update: <dealsheet results {updatesOf} --only changed> writes it]]]. If not, put the cells back: sorting must keep whole rows together, with the first six cells of a results sheet. If this is a new row, [hasRefs?give it another Ref, and ]in a results sheet empty these six cells.]`,
  'changed-value': ({ before, isReread }: { before: string | null; isReread: boolean }) =>
    before === null
      ? 'is not what went in.'
      : isReread
        ? 'was read otherwise when the row went in. Check the date order, the decimal mark and the mapping of this load.'
        : `was ${before === '' ? 'blank' : `"${before}"`} when the row went in.`,
  'changed-field': '{field} [before?was "{before}"|had another value] when the row went in.',
  'went-in-later': 'Loaded by the run {run}.',
  'went-in-corrected': 'Loaded by the run {run}, where it had been corrected: what went in is not what stands here.',
  'fault-not-known':
    'The file of this load is gone or was changed, so the results cannot say what is wrong with this row. Correct it in your own file and check that.',
  'in-doubt-later': 'In doubt since the run {run}. Settle it in the results of that run.',
  'by-results':
    'The results sheet says so. This ledger does not know the run.[typed? "{typed}" in the ID cell cannot be its id: look that up in the service, and enter it in the rows that belong to the record.]',
  'in-doubt-by-results': `The results sheet says that it is in doubt, and this ledger does not know the run. ${lookItUp}`,
  'sent-although': '{notes}',
  'answer-not-taken': 'This load sent nothing, so the ID was not taken yet: import this sheet again.',
  'resolved-by-id': 'It was in doubt, and the ID cell of this sheet says that it is in.',
  'resolved-not-created': 'A person said that it was not created. Import it again to send it.',
  unchanged: 'No value in this row was changed since the export: nothing was sent.',
  'copy-of-row': `Another row of this file is the same row of ${place}, and that one counts. Empty the first six cells if this is a new row.`,
  'copies-differ': `Two rows of this file are the same row of ${place}, with different values. Delete one, or empty its first six cells if it is a new row.`,
  'copy-of-line': `Another row of this file may be the same row: by its Run or ID cell, or by its values where this ledger does not know the run. Delete one of the two, or empty the first six cells of the one that is a new row. If both have the same values, load the new one in a file of its own ${again}.`,
  'unknown-key': `This ledger does not know the row of the Run cell, so it cannot tell whether the row is in[typed? as {typed}]. Load that same sheet again, and not its new results, with the ledger of that run; or ${trustResults} to believe the Status cells. Empty the first six cells where they were filled down.`,
  'key-of-another-kind':
    'The Run cell names a row of another kind. Load the sheet as that kind, or empty the first six cells if the row is a new record.',
  'ref-of-several': `This Ref is also that of ${named}, and a load cannot tell whether the two are one. If they are, delete this row; if not, give it another Ref.`,
  'ids-differ': `The ID cell has "{typed}", but by the ledger the row is in [record?as {record}|without an id], from ${place}. [record?Put that id back, or|Enter its id there, as text, or empty that cell, or] empty the first six cells if this is a new row.`,
  'id-of-row-not-in': `The Status or ID cell says that the row is in ({typed}), but by the ledger it is not (${place}). Delete the row if the service has it, or empty both cells to send it.`,
  'id-beside-status':
    'The ID cell has "{typed}", but by the Status cell the row is not in. Delete the row if the service has it, or empty the ID cell to send it.',
  'being-sent': `It is being sent from ${place}, and that load is still running. Load this file again once it has ended.`,
  'in-doubt': `In doubt since ${place}. ${resolve}`,
  'in-doubt-otherwise': `In doubt since ${place}. From there it went out with other values than it has here: look for those. ${resolve}`,
  'answer-unclear': `"{typed}" in the ID cell [isRounded?may have been rounded by a spreadsheet program|is not an id, a link of a record, "created" ("yes") or "not created" ("no")]. In doubt since ${place}. ${resolve}`,
  'answer-beside-status': `The Status cell says that the row is in, and the ID cell that it was not created. Correct the Status cell, or go on with the new results, where the row is In doubt. ${lookItUp}`,
  'answer-to-other-attempt': `The ID cell answers an earlier try; the row was sent again from ${place}. ${resolve}`,
  'waits-for-parent': `Waiting until ${parent} is in[isHere?: its Problems cell says what to do]. Then the next load sends this row.`,
  'parent-without-id': `Waiting for ${parent}: it is in, but its id is not known. Look that up in the service, and enter it in the ID cell of that row in its results, or in this row in place of the Ref, in a column for ids such as "Deal id" or "Company id". Then import that sheet.`,
  'same-ref': `[isAllowed?The row that it belongs to|Waiting for ${parent}: it] went in with other values or another Ref than it has now. ${unlessAllowed(`If it is the same record, ${allow('same-ref')}; if not, give it another Ref.`)}`,
  'equal-to-loaded-row': `The row has the same values as ${named}. ${unlessAllowed(`If both are meant, ${allow('equal-to-loaded-row')}; if not, delete it, or put its cells or its Ref back.`)}`,
  'possible-correction': `This row may be a correction of ${named}. ${unlessAllowed(`If it is, change that record in the service and delete this row, or put its cells back to what went in; if it is another record, ${allow('possible-correction')}.`)}`,
  'possible-duplicate': `This row has the same EIN as ${named}. ${unlessAllowed(`If it is the same company, enter that id in the rows that name it, in place of its Ref, in a column such as "Company id"; then delete this row. If it is another one, ${allow('possible-duplicate')}.`)}`,
  'like-loaded': `This may be the same {singular} as ${named}: it has the same [isCompany?name or e-mail|[isOfDeal?deal|company][isDated?, date] and amount]. If so, keep only one of the two.`,
  'live-meanwhile':
    'Another load sent this row, or one with the same values, in the meantime. Import the file again to see what became of it.',
  'later-update': `A later update of the same company went out from ${place}. This one would overwrite it: within a file the lower row is the later one, and a row of an export is as old as the export. ${unlessAllowed(`If that is what you want, ${allow('later-update')}.`)}`,
  'left-in-doubt': `The load stopped before the answer came.[wasSentAgain?| ${lookUpRecord}]`,
  'left-to-repeat': 'The load stopped before the answer came. The row is sent again.',
  'key-lost':
    'The row [id?carries the id {id}|says that it was loaded], but its Run cell does not say when. Put the Run cell back, or empty the first six cells if it is a new row.',
} as const;
