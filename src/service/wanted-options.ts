/** What the options of a client may be, told before anything is sent: a time-out of NaN would put every row in doubt. */
import { wantedContract } from '../contract/contract-settings.ts';
import type { WantedOption } from '../errors.ts';
import type { ServiceOptions } from './client.ts';

export const wantedOptions: Readonly<Record<keyof ServiceOptions, WantedOption>> = {
  url: { wanted: 'the base address as a URL: new URL("https://…")', isRight: (given) => given instanceof URL },
  credentials: {
    wanted: 'what fixedToken, tokenFromFile or tokenFromCommand gives',
    isRight: (given) => hasFunctions(given, ['token']),
  },
  contract: wantedContract,
  timeoutMs: {
    wanted: 'a number of milliseconds above 0',
    isRight: (given) => isNumber(given) && given > 0 && Number.isFinite(given),
  },
  concurrency: {
    wanted: 'a whole number of requests from 1 on',
    isRight: (given) => Number.isSafeInteger(given) && isNumber(given) && given >= 1,
  },
  rate: {
    wanted: 'requests a second, a number above 0, or null for no limit',
    isRight: (given) => given === null || (isNumber(given) && given > 0 && Number.isFinite(given)),
  },
  idempotencyKeys: { wanted: 'true or false', isRight: (given) => typeof given === 'boolean' },
  retryBudget: { wanted: 'a number of requests from 0 on', isRight: (given) => isNumber(given) && given >= 0 },
  events: {
    wanted: 'silentEvents, or an object with functions in the place of its own',
    isRight: (given) => hasFunctions(given, ['onPace', 'onRetry', 'onWait', 'onLost', 'onStop']),
  },
  onExchange: {
    wanted: 'a function, or nothing',
    isRight: (given) => given === undefined || typeof given === 'function',
  },
  proxy: {
    wanted: 'what proxyOf finds, or null for none',
    isRight: (given) =>
      given === undefined || given === null || (isObject(given) && Reflect.get(given, 'url') instanceof URL),
  },
};

function isNumber(given: unknown): given is number {
  return typeof given === 'number';
}

function isObject(given: unknown): given is object {
  return typeof given === 'object' && given !== null;
}

function hasFunctions(given: unknown, names: readonly string[]): boolean {
  return isObject(given) && names.every((name) => typeof Reflect.get(given, name) === 'function');
}
