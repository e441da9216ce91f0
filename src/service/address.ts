/** The address of the service, the path of each endpoint below it, and the proxy on the way. The token goes to this origin alone. */
import { firstAt } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { type EndpointName, endpoints } from '../contract/endpoints.ts';
import { DealsheetError } from '../errors.ts';
import { literal, visibleText } from '../messages/plain-text.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

const endpointNames = Object.keys(endpoints) as EndpointName[];

const loopbackNetwork = /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || loopbackNetwork.test(hostname);
}

/**
 * @param isAllowed  the profile says so too
 * @returns whether nothing checks who answers
 * @throws DealsheetError `usage` when the environment alone asks for it: it may have been set for another program
 */
export function refuseUncheckedTls({ protocol }: URL, isAllowed: boolean): boolean {
  if (protocol !== 'https:' || process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return false;
  if (isAllowed) return true;
  throw new DealsheetError(
    'usage',
    'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: anybody on the way could pose as the service and read the token.',
    'Unset it, and name the certificate of your authority in NODE_EXTRA_CA_CERTS. If it is meant, put "insecureTls": true in the profile.',
  );
}

/**
 * Reads the base address of a service as a person wrote it, wherever that stands.
 *
 * @throws DealsheetError `usage` when it is no address, the token would be readable on the way, or it says more than where; what may be secret is not repeated
 */
export function readAddress(text: string): URL {
  if (!URL.canParse(text)) {
    const named = mayHoldSecret.test(text) ? 'What was given as the service address' : `"${text}"`;
    throw new DealsheetError('usage', `${named} is not an address.`, 'Write it like https://service.example.');
  }
  const url = new URL(text);
  refuseUnsafe(url);
  return url;
}

const mayHoldSecret = /[@?#]/;

function refuseUnsafe(url: URL): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new DealsheetError(
      'usage',
      `The service address ${url.protocol}//${url.host} is not a web address.`,
      'Give an address that begins with https://.',
    );
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new DealsheetError(
      'usage',
      `The service address http://${url.host} is not encrypted: anybody on the way could read the token and the records.`,
      'Give the address with https://. Plain http:// is for this very computer alone (127.0.0.1, [::1], localhost).',
    );
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new DealsheetError(
      'usage',
      `The service address at ${url.host} holds a user name, a password, a query or a fragment.`,
      'Give the plain base address, and the token by DEALSHEET_TOKEN, a token file or a token command.',
    );
}

/** How the ledger knows a service: by its base address, whether or not that ends with a slash. */
export function identityOf(url: URL): string {
  return url.origin + basePathOf(url);
}

function basePathOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, '');
}

export class ServiceAddress {
  readonly origin: string;
  readonly basePath: string;
  readonly #paths: ContractSettings['paths'];

  /**
   * @param url  the base address, as the person chose it
   * @throws DealsheetError `usage` when the token would be readable on the way, or the address says more than where
   */
  constructor(url: URL, contract: Pick<ContractSettings, 'paths'>) {
    refuseUnsafe(url);
    this.origin = url.origin;
    this.basePath = basePathOf(url);
    this.#paths = contract.paths;
  }

  /** `PATCH`, unless a profile says otherwise: `PUT /companies/{id}`. */
  methodOf(endpoint: EndpointName): Method {
    const [method] = /^[A-Z]+(?= )/.exec(this.#paths[endpoint] ?? '') ?? [];
    return (method as Method | undefined) ?? endpoints[endpoint].method;
  }

  /** The path of an endpoint from the root of the origin on; `id` stands where the path has a place for one. */
  pathOf(endpoint: EndpointName, id: string | null): string {
    const path = (this.#paths[endpoint] ?? endpoints[endpoint].path).replace(/^[A-Z]+ /, '');
    return this.below(path, id);
  }

  below(path: string, id: string | null): string {
    return this.basePath + (id === null ? path : path.replace(/\{[^}]*\}/, () => encodedSegment(id)));
  }

  /** The path of a create, with values of its record in their places: `/deals/{dealId}/notes`. `null` when one is blank. */
  pathWith(endpoint: EndpointName, body: unknown): string | null {
    const path = this.pathOf(endpoint, null);
    const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name);
    const values = names.map((name) => String(firstAt(body, [name]) ?? ''));
    if (values.includes('')) return null;
    return path.replace(/\{[^}]*\}/g, () => encodedSegment(values.shift() ?? ''));
  }

  /**
   * The id at the end of a `Location` of this origin, directly below the path of the endpoint; else `null`.
   * @param location  the header as it came: absolute, or relative to the request
   */
  idFromLocation(location: string, requestPath: string): string | null {
    const url = this.sameOrigin(location, requestPath);
    const isEndpoint = endpointNames.some(
      (name) => plainPath(this.pathOf(name, null)) === plainPath(url?.pathname ?? ''),
    );
    // `/v1/deal/note` stands below `/v1/deal`, and is no deal.
    return url === null || isEndpoint ? null : idInAddress(url.pathname, `${plainPath(requestPath)}/{id}`, '^');
  }

  /** The address of a record in a web application, made absolute; `null` for what must not become a link. */
  recordUrl(text: string, requestPath: string): string | null {
    const url = visibleText(text) === text ? this.#urlOf(text, requestPath) : null;
    return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : null;
  }

  sameOrigin(text: string, requestPath: string): URL | null {
    const url = this.#urlOf(text, requestPath);
    return url?.origin === this.origin ? url : null;
  }

  #urlOf(text: string, requestPath: string): URL | null {
    const base = this.origin + requestPath;
    const url = URL.canParse(text, base) ? new URL(text, base) : null;
    return url?.username === '' && url.password === '' ? url : null;
  }
}

/**
 * The id in an address that ends as a pattern says: `/deals/{id}`, `/deal?id={id}`. A slash at the end makes no difference.
 * @param beginning  `^` where the pattern is the whole of it
 */
export function idInAddress(text: string, pattern: string, beginning: '^' | '' = ''): string | null {
  const anyOrigin = 'http://0.0.0.0/';
  if (!URL.canParse(text, anyOrigin)) return null;
  const { pathname, search } = new URL(text, anyOrigin);
  const said = pattern.includes('?') ? pathname + search : pathname;
  const [before = '', after = ''] = pattern.replace(/\/$/, '').split('{id}').map(literal);
  const [, id] = new RegExp(`${beginning}${before}([^/?&]+)${after}/?$`).exec(said) ?? [];
  return id === undefined ? null : decodedPart(id);
}

/** Part of an address as it was before it was written into one; `null` for what never was. */
export function decodedPart(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function plainPath(path: string): string {
  return path.replace(/\?.*$/, '').replace(/\/+$/, '');
}

/** One segment of a path. A segment of dots would climb out of its folder, so its dots are written out. */
function encodedSegment(id: string): string {
  return /^\.{1,2}$/.test(id) ? id.replaceAll('.', '%2E') : encodeURIComponent(id);
}

export interface ServiceProxy {
  /** With the name and the password that it asks for, where it does. */
  readonly url: URL;
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
