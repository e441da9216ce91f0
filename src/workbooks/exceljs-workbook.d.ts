/** The class alone: the whole of exceljs reads and writes files too, with parts that nothing here needs. */
declare module 'exceljs/lib/doc/workbook.js' {
  export { Workbook as default } from 'exceljs';
}
