/**
 * The address of a team ledger: `postgres://USER@HOST:PORT/DATABASE`. Its one rule: beyond this computer, only TLS with a verified
 * certificate is used, whatever the address asks for.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type DealsheetError, usageError } from '../../errors.ts';

export interface TeamAddress {
  /** Without the password, so it may be shown and passed on. */
  readonly shown: string;
  /** A host name, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** `null` for the user named by the environment. */
  readonly user: string | null;
  readonly password: string | null;
  readonly tls: { readonly rejectUnauthorized: true; readonly ca?: string; readonly servername?: string } | false;
}

const usualPort = 5432;

export function isTeamAddress(ledger: string): boolean {
  return /^postgres(ql)?:/i.test(ledger);
}

/** @throws DealsheetError `usage` for an address that cannot be used; the message does not repeat a password */
export function readTeamAddress(text: string): TeamAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^postgres(ql)?:\/\//i.test(text)) throw refused('The address of the ledger cannot be read.');
  const { sslmode, sslrootcert, host: socket, ...others } = Object.fromEntries(url.searchParams);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw refused(`The address of the ledger holds "${unknown}", which dealsheet does not know.`);
  const host = socket ?? url.hostname.replace(/^\[|\]$/g, '');
  const database = decodeURIComponent(url.pathname.slice(1));
  if (host === '' || database === '' || database.includes('/')) throw refused('It must name a host and a database.');
  const isHere =
    host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\./.test(isIP(host) === 4 ? host : '');
  if (sslmode !== undefined && sslmode !== 'verify-full' && !(isHere && sslmode === 'disable'))
    throw refused(`sslmode=${sslmode} would let another computer pose as ${host}.`);
  const tls = (isHere && sslmode !== 'verify-full') || {
    rejectUnauthorized: true,
    ...(sslrootcert !== undefined && { ca: readFileSync(sslrootcert, 'utf8') }),
    ...(isIP(host) === 0 && { servername: host }),
  };
  const shown = new URL(url);
  shown.password = '';
  return {
    shown: shown.href,
    ...{ host, database, port: url.port === '' ? usualPort : Number(url.port) },
    user: url.username === '' ? null : decodeURIComponent(url.username),
    password: url.password === '' ? null : decodeURIComponent(url.password),
    tls: tls === true ? false : (tls as TeamAddress['tls']),
  };
}

function refused(message: string): DealsheetError {
  return usageError(
    message,
    'Write it like postgres://USER@HOST/DATABASE, with ?sslrootcert=FILE where your own authority signed the certificate of the server.',
  );
}
