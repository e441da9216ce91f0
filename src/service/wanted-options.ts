/** What the options of a client may be, told before anything is sent: a time-out of NaN would put every row in doubt. */
import { isObject } from '../contract/body-path.ts';
import { wantedContract } from '../contract/contract-settings.ts';
import type { WantedOption } from '../errors.ts';
import type { ServiceOptions } from './client.ts';
import { silentEvents } from './events.ts';

const isPositive = (given: unknown): boolean => typeof given === 'number' && given > 0 && Number.isFinite(given);

export const wantedOptions: Readonly<Record<keyof ServiceOptions, WantedOption>> = {
  url: { wanted: 'the base address as a URL: new URL("https://…")', isRight: (given) => given instanceof URL },
  credentials: {
    wanted: 'what fixedToken, tokenFromFile or tokenFromCommand gives',
    isRight: (given) => hasFunctions(given, ['token']),
  },
  contract: wantedContract,
  timeoutMs: { wanted: 'a number of milliseconds above 0', isRight: isPositive },
  concurrency: {
    wanted: 'a whole number of requests from 1 on',
    isRight: (given) => Number.isSafeInteger(given) && isPositive(given),
  },
  rate: {
    wanted: 'requests a second, a number above 0, or null for no limit',
    isRight: (given) => given === null || isPositive(given),
  },
  idempotencyKeys: { wanted: 'true or false', isRight: (given) => typeof given === 'boolean' },
  retryBudget: {
    wanted: 'a number of requests from 0 on',
    isRight: (given) => typeof given === 'number' && given >= 0,
  },
  events: {
    wanted: 'silentEvents, or an object with functions in the place of its own',
    isRight: (given) => hasFunctions(given, Object.keys(silentEvents)),
  },
  onExchange: {
    wanted: 'a function, or nothing',
    isRight: (given) => given === undefined || typeof given === 'function',
  },
  proxy: {
    wanted: 'what proxyOf finds, or null for none',
    isRight: (given) => (given ?? null) === null || (isObject(given) && given.url instanceof URL),
  },
};

function hasFunctions(given: unknown, names: readonly string[]): boolean {
  return isObject(given) && names.every((name) => typeof Reflect.get(given, name) === 'function');
}
