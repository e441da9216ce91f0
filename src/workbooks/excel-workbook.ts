/**
 * The only exceljs class that templates need. The build bundles it, so that users do not install exceljs with its
 * outdated dependencies.
 */
import Workbook from 'exceljs/lib/doc/workbook.js';
import JsZip from 'jszip';

/** A fixed date, so that equal workbooks are equal to the byte. */
export const madeAt = new Date('2000-01-01T00:00:00Z');
Object.assign(JsZip.defaults, { date: madeAt, createFolders: false });

export { Workbook };
