/** Parts alone: the whole of undici takes three times as long to load, and every command that asks the service waits for it. */
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
