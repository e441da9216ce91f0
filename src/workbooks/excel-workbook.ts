/**
 * The one class of exceljs that templates are made with. The build puts into this file all that it needs: exceljs asks for
 * versions of its own parts that are long out of date, and whoever installs Dealsheet would get them.
 */
import Workbook from 'exceljs/lib/doc/workbook.js';

export { Workbook };
