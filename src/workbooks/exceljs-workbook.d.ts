/** Only this class, because the rest of exceljs also reads and writes files, with dependencies that are not needed. */
declare module 'exceljs/lib/doc/workbook.js' {
  export { Workbook as default } from 'exceljs';
}
