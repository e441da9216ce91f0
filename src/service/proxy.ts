/** The proxy between this computer and the service, where the environment names one. It is asked for a tunnel, and sees no record. */
import { DealsheetError } from '../errors.ts';
import { isLoopback } from './address.ts';

export interface ServiceProxy {
  /** With the name and the password that it asks for, where it does. */
  readonly url: URL;
  /** The variable that names it. */
  readonly from: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** In the order in which curl and others take them. */
const variables = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];

/**
 * Finds the proxy by which a service is reached. This very computer needs none, and a name in `NO_PROXY` gets none.
 *
 * @throws DealsheetError `usage` when the variable names no address of a proxy; what it says may be secret, and is not repeated
 */
export function proxyOf(service: URL, environment: Environment): ServiceProxy | null {
  if (service.protocol !== 'https:' || isLoopback(service.hostname)) return null;
  const from = variables.find((name) => (environment[name] ?? '') !== '');
  if (from === undefined || isExempt(service, environment.no_proxy || environment.NO_PROXY || '')) return null;
  return { url: readProxy(from, environment[from] ?? ''), from };
}

function readProxy(from: string, text: string): URL {
  const address = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new DealsheetError(
    'usage',
    `The variable ${from} names no proxy that can be asked: an address such as http://proxy.example:3128 is wanted.`,
    'Correct the variable or unset it. Nothing was sent.',
  );
}

/** `NO_PROXY`: names of hosts and of domains, each perhaps with a port, between commas or blanks; or `*` for all. */
function isExempt({ hostname, port }: URL, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true;
    const [, name = '', itsPort] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (name === '' || (itsPort !== undefined && itsPort !== (port || httpsPort))) return false;
    return hostname === name || hostname.endsWith(`.${name}`);
  });
}

const httpsPort = '443';
