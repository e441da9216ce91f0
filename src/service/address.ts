/** The address of the service, the path of each endpoint, and the proxy. The token goes to this origin only. */
import { firstAt } from '../contract/body-path.ts';
import type { ContractSettings, ReadBody } from '../contract/contract-settings.ts';
import { type EndpointName, endpoints } from '../contract/record-kind.ts';
import { renamer, wirePathOf } from '../contract/rename.ts';
import { literal, visibleText } from '../messages/plain-text.ts';
import { errorOf } from '../messages/text.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

const endpointNames = Object.keys(endpoints) as EndpointName[];

export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname);
}

/**
 * Whether certificates go unchecked. The profile must allow it too, because the environment may have been set for another program.
 * @throws DealsheetError `usage` when the profile does not allow it
 */
export function refuseUncheckedTls({ protocol }: URL, isAllowed: boolean): boolean {
  if (protocol !== 'https:' || process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return false;
  if (isAllowed) return true;
  throw errorOf('certificates-unchecked');
}

/** @throws DealsheetError `usage` unless a token may be sent to the address; the message repeats nothing that may be secret */
export function readAddress(text: string): URL {
  if (!URL.canParse(text)) throw errorOf('address-unreadable');
  const url = new URL(text);
  refuseUnsafe(url);
  return url;
}

function refuseUnsafe(url: URL): void {
  if (url.protocol !== 'https:' && (url.protocol !== 'http:' || !isLoopback(url.hostname)))
    throw errorOf('address-not-encrypted', { address: `${url.protocol}//${url.host}` });
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw errorOf('address-with-secrets', { host: url.host });
}

export function identityOf({ origin, pathname }: URL): string {
  return origin + pathname.replace(/\/+$/, '');
}

export class ServiceAddress {
  readonly origin: string;
  readonly basePath: string;
  readonly #paths: ContractSettings['paths'];

  constructor(url: URL, contract: Pick<ContractSettings, 'paths'>) {
    refuseUnsafe(url);
    this.origin = url.origin;
    this.basePath = identityOf(url).slice(url.origin.length);
    this.#paths = contract.paths;
  }

  methodOf(endpoint: EndpointName): Method {
    const [method] = /^[A-Z]+(?= )/.exec(this.#paths[endpoint] ?? '') ?? [];
    return (method as Method | undefined) ?? endpoints[endpoint].method;
  }

  pathOf(endpoint: EndpointName, id: string | null): string {
    return this.below((this.#paths[endpoint] ?? endpoints[endpoint].path).replace(/^[A-Z]+ /, ''), id);
  }

  /** The body of a read by POST; `null` for a GET. A constant gives way to what is sent at its place, such as the next page. */
  bodyOf(endpoint: EndpointName, sent: Readonly<Record<string, unknown>>, body?: ReadBody): object | null {
    if (this.methodOf(endpoint) !== 'POST') return null;
    const { rename = {}, constants = {} } = body ?? {};
    const named = Object.entries(sent).filter(([name]) => Object.hasOwn(rename, name));
    const taken = named.map(([name]) => wirePathOf(name, rename));
    const others = Object.entries(constants).filter(([path]) => !taken.includes(path));
    return renamer(rename, Object.fromEntries(others))(Object.fromEntries(named));
  }

  below(path: string, id: string | null): string {
    return this.basePath + (id === null ? path : path.replace(/\{[^}]*\}/g, () => encodedSegment(id)));
  }

  /** The path of a create with values of its record filled in: `/deals/{dealId}/notes`. `null` when a value is blank. */
  pathWith(endpoint: EndpointName, body: unknown): string | null {
    const path = this.pathOf(endpoint, null);
    let isFilled = true;
    const filled = path.replace(/\{([^}]*)\}/g, (_, name: string) => {
      const said = String(firstAt(body, [name]) ?? '');
      isFilled &&= said !== '';
      return encodedSegment(said);
    });
    return isFilled ? filled : null;
  }

  /** The id in a `Location`: as declared, else at its end, directly below the request path of the same origin; else `null`. */
  idFromLocation(location: string, requestPath: string, idInUrl: string | null): string | null {
    if (idInUrl !== null) return idInAddress(this.recordUrl(location, requestPath) ?? '', idInUrl);
    const url = this.sameOrigin(location, requestPath);
    const isEndpoint = endpointNames.some(
      (name) => plainPath(this.pathOf(name, null)) === plainPath(url?.pathname ?? ''),
    );
    // `/v1/deal/note` is below `/v1/deal`, but is not a deal.
    return url === null || isEndpoint ? null : idInAddress(url.pathname, `${plainPath(requestPath)}/{id}`, '^');
  }

  /** The absolute address of a record in a web application; `null` for anything that must not become a link. */
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
 * The id in an address that ends like the pattern: `/deals/{id}`, `/deal?id={id}`. A trailing slash makes no difference.
 * @param beginning  `^` when the pattern must match from the start
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

/** URL-decodes a text; `null` when it is malformed. */
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

/** Encodes one path segment. A segment of dots would leave its folder, so its dots are escaped. */
function encodedSegment(id: string): string {
  return /^\.{1,2}$/.test(id) ? id.replaceAll('.', '%2E') : encodeURIComponent(id);
}

export interface ServiceProxy {
  readonly url: URL;
  readonly from: string;
}

const variables = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];

/** @throws DealsheetError `usage` when the variable holds no proxy address; its value may be secret and is not repeated */
export function proxyOf(service: URL, environment: Readonly<Record<string, string | undefined>>): ServiceProxy | null {
  if (service.protocol !== 'https:' || isLoopback(service.hostname)) return null;
  const from = variables.find((name) => (environment[name] ?? '') !== '');
  if (from === undefined || isExempt(service, environment.no_proxy || environment.NO_PROXY || '')) return null;
  const text = environment[from] ?? '';
  const address = text.includes('://') ? text : `http://${text}`;
  if (URL.canParse(address) && /^https?:/i.test(address)) return { url: new URL(address), from };
  throw errorOf('proxy-address', { variable: from });
}

/** Reads `NO_PROXY`: hosts and domains, each with an optional port, separated by commas or blanks; `*` is all. */
function isExempt({ hostname, port }: URL, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true;
    const [, name = '', itsPort] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (name === '' || (itsPort !== undefined && itsPort !== (port || '443'))) return false;
    return hostname === name || hostname.endsWith(`.${name}`);
  });
}
