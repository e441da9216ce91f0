/**
 * The one class of exceljs that templates are made with. The build puts into this file all that it needs: exceljs asks for
 * versions of its own parts that are long out of date, and whoever installs Dealsheet would get them.
 */
import Workbook from 'exceljs/lib/doc/workbook.js';
import JsZip from 'jszip';

/** The same workbook made twice is the same, to the byte: no clock in it. */
export const madeAt = new Date('2000-01-01T00:00:00Z');
Object.assign(JsZip.defaults, { date: madeAt, createFolders: false });

export { Workbook };
