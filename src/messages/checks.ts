/** Texts of the checks, by code. */
import { allow } from './ways.ts';

export const checkTexts = {
  'total-row': `"{label}" is the label of a total, and the row [isPart?names neither the record that it belongs to nor a day|has nothing else but figures]. If it is a record, fill in [isPart?both|its other columns], or ${allow('total-row')}.`,
  'total-like':
    '"{label}" looks like the label of a total. [isIn?Remove its record in the service|Delete the row] if it is not a real {singular}.',
  'example-row': 'This is the example row of a template. Delete it.',
  'example-like':
    'The row has the values of the example row of a template. If it is that row, it is no record of yours.',
  'lone-value':
    'The row has one value only, as a heading, a footer or the rest of another row has. If it is no {singular}, delete it.',
  'same-content':
    'The row is the same as {first} of the source. If only one of the two is meant, [isIn?remove the record of the other, where it has one of its own, in the service|delete the other].',
  'same-company':
    '{label} is the same as in {first} of the source: each row creates a company. If they are the same, keep one of them, and name it elsewhere by its Company ref or id.',
  'other-company':
    '{label} differs from that of the company with the Ref "{ref}", which this row names. Check the Ref: it may have been filled down.',

  'ref-repeated':
    'Ref "{ref}" is used more than once in {kind}: {places} of the source. If they are the same record, keep one row and delete the others; if not, give each its own Ref.',
  'ref-unknown':
    '"{ref}" was not found in this file or in earlier loads. Correct it, load the row that has it first, or enter the id in the column "{idColumn}" instead.',
  'ref-ambiguous':
    '"{ref}" is the Ref of several records: {places}[areRows? of the source. Give each a Ref of its own, or enter|. Enter] the id of the one you mean in the column "{idColumn}" instead.',
  'ref-not-in':
    '"{ref}" is the Ref of {place}, which is not in[status?: {status}].[ids? It is also that of {ids}.] Load that row with this Ref first, or enter the id in the column "{idColumn}" instead.',
  'ref-loaded':
    'Belongs to a record that was loaded from {load}: "{ref}" is the Ref of [id?{id}.|one without a known id. Enter it in the column "{idColumn}" instead.]',
  'ref-not-looked-up': '"{ref}" was not found in this file. The import looks for it in earlier loads.',

  'attachment-file': 'File "{file}" {fault}',
  'file-absolute': 'is an absolute path, or an address. Name a file below the folder of attachments.',
  'file-outside': 'leads out of the folder of attachments, by itself or as a link. Put the file below it.',
  'file-hidden':
    'is hidden, or lies in a hidden folder, and hidden files are not sent. Copy it to a name without a dot in front if it is meant.',
  'file-own':
    'belongs to dealsheet, or is named like a file of it: settings, tokens, ledgers, results and private copies are not sent anywhere. Name another file, or give it another name.',
  'file-backslash': 'is not there: a slash stands between folder and file. Write {name}.',
  'file-missing':
    'was not found in {folder}. [shell?Put it there, or name its folder with --attachments FOLDER.|Put it there. If you dropped the workbook on the page, open it in its own folder instead, with dealsheet open FILE.]',
  'file-unreadable': 'cannot be read ({error}).',
  'file-changed': 'has changed since it was checked, and was not sent. To send it as it is now, import the file again.',
  'file-irregular': 'is not a regular file: it is a folder, a device or the like. Name a file.',
  'file-empty': 'is an empty file.',

  'merged-cell':
    '{label} is blank here: the cell is merged with one above, and only that one has the value. Unmerge the cells and enter the value here, or leave the cell blank. In a results sheet, replace #MERGED! with the value, or clear the cell.',
  'value-under-merge': '{label} is hidden under the merged cell {address}. Unmerge the cells and check the value.',
  'link-text': '{label} is the text of a link to {address}. If the address is meant, put that into the cell.',

  'cells-beside-table': ({ cells, address }: { cells: number; address: string }) =>
    cells === 1
      ? `1 cell to the right of the table, ${address}, has no header and is left out.`
      : `${cells} cells to the right of the table, from ${address} on, have no header and are left out.`,
  'column-without-header':
    'Column {column} has values without a header ({address}). Add its header, or one in parentheses to leave the column out, or clear the column.',
  'moved-cells': `[split?Row {split} has an amount or a quotation that begins in one cell and ends in another because of a separator ({mark}) in it, or a quotation that holds whole rows. Use plain quotation marks ("), with no blank in front of the first, and close each in its own cell. Only if the cells are right, ${allow('moved-cells')}.|Rows have more cells than there are headers ({headers}): {rows}. A cell with a separator ({mark}) in it needs quotation marks: without them it becomes two cells, and all after it move. If nothing has moved, give the extra cells a header in parentheses.]`,
  'hidden-rows': 'What is hidden is read like the rest:[rows? {rows} of the rows][columns?[rows?,] columns {columns}].',
} as const;

/** What a row lacks as a record, or where it contradicts itself or the template that an export filled in. */
export const recordTexts = {
  'changes-nothing': 'The row changes nothing: no field is filled in.',
  'says-nothing': 'The row is empty: none of the cells that are sent is filled in.',
  'ref-and-id': 'and an id are both given for the same thing. Keep one of them.',
  'field-missing': '{field} is missing: every {record} needs one[ref?, or a {ref}].',
  'group-missing': '{field} is missing: fill in at least one of its columns ({columns}, …)[ref?, or a {ref}].',
  'no-place-in-request':
    '{field} has no place of its own in the requests of your profile. Leave it blank, or name a place for it there (contract.requests).',
  'expected-blank':
    '{fields} is blank. If the {record} has one, [isIn?add it in the service|fill it in, and otherwise leave it blank].',
  'assumed-missing':
    '{fields} is missing: every {record} is assumed to need one. Fill it in[isLine?, or delete the line if it is no {record}, such as a legend]. If your service takes rows without it, "{need}" under "contract.needs" in the profile allows them.',

  'exported-mark-changed':
    'The column "{header}" was changed in this row, so it is not clear what else was changed. Copy the row again from the export.',
  'exported-for-other-company':
    'The row was exported for the company {id}, and another id stands in it now. Sort and copy whole rows; to write a new row, leave the last column blank.',
  'exported-from-other-service':
    'The row was exported from a service of another address, where {id} may be another company. Choose the address that it came from, or export the company from this one.',
  'exported-list-locked':
    '{field} cannot be changed here: the service has more of it than these columns show, and sending these would replace all of it. Change it in the service.',
  'list-replaced':
    'is sent as part of the whole list: what the service has of that list and this row does not have is lost. To keep it, export the company as a template, and change it there.',
  'exported-cell-changed':
    '[isCleared?empties the field, exported as|replaces the exported] [exported?"{exported}"|blank][isHidden?; the export could not show the value].',
  'exported-cell-emptied':
    '{field} was emptied: a blank leaves the field as it is; [isPart?to empty the whole list, write <clear> in one cell of it and leave its others blank|write <clear> to empty it].',
  'exported-cell-rewritten':
    'was exported as "{exported}". A spreadsheet program may rewrite it like this when it saves the file, so it does not count as a change and is not sent. If you did change it, enter it in a new row with the same id, and leave the last column of that row blank.',
} as const;
