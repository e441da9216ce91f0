/** The pool alone: the whole of undici takes three times as long to load, and every command that asks the service waits for it. */
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici';
}
