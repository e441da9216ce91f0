/** Deep imports. All of undici takes three times as long to load, and every command that contacts the service would wait. */
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici';
}
declare module 'undici/lib/api/api-connect.js' {
  const connect: import('undici').Dispatcher['connect'];
  export default connect;
}
declare module 'undici/lib/dispatcher/proxy-agent.js' {
  export { ProxyAgent as default } from 'undici';
}
/** The rest of exceljs also reads and writes files, with dependencies that are not needed. */
declare module 'exceljs/lib/doc/workbook.js' {
  export { Workbook as default } from 'exceljs';
}
