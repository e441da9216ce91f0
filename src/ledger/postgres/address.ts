/**
 * The address of a team ledger: `postgres://USER@HOST:PORT/DATABASE`. Its one rule: beyond this computer, only TLS with a verified
 * certificate is used, whatever the address asks for.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { errorOf } from '../../messages/text.ts';

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
  if (url === null || !/^postgres(ql)?:\/\//i.test(text)) throw errorOf('team-address-unreadable');
  const { sslmode, sslrootcert, host: socket, ...others } = Object.fromEntries(url.searchParams);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw errorOf('team-address-unknown', { name: unknown });
  const host = socket ?? url.hostname.replace(/^\[|\]$/g, '');
  const database = decodeURIComponent(url.pathname.slice(1));
  if (host === '' || database === '' || database.includes('/')) throw errorOf('team-address-incomplete');
  const isHere =
    host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\./.test(isIP(host) === 4 ? host : '');
  if (sslmode !== undefined && sslmode !== 'verify-full' && !(isHere && sslmode === 'disable'))
    throw errorOf('team-address-unsafe', { mode: sslmode, host });
  const tls = (isHere && sslmode !== 'verify-full') || {
    rejectUnauthorized: true,
    ...(sslrootcert !== undefined && { ca: certificatesIn(sslrootcert) }),
    ...(isIP(host) === 0 && { servername: host }),
  };
  const shown = new URL(url);
  shown.password = '';
  return {
    shown: shown.href,
    host,
    database,
    port: url.port === '' ? usualPort : Number(url.port),
    user: url.username === '' ? null : decodeURIComponent(url.username),
    password: url.password === '' ? null : decodeURIComponent(url.password),
    tls: tls === true ? false : (tls as TeamAddress['tls']),
  };
}

function certificatesIn(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw errorOf('settings-unreadable', { path, code: (cause as NodeJS.ErrnoException).code ?? '' }, cause);
  }
}
