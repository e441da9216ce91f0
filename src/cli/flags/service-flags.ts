/** The flags by which a command is told which service it speaks to, and how fast. */
import type { Argv } from 'yargs';
import { positiveNumber, positiveWholeNumber } from './positive-number.ts';

export function withAddressFlags<Flags>(yargs: Argv<Flags>) {
  return yargs.options({
    sandbox: {
      type: 'boolean',
      default: false,
      describe: 'Rehearse against the sandbox, started for the time of the command',
    },
    profile: { type: 'string', requiresArg: true, describe: 'A service by the name of its profile' },
    url: { type: 'string', requiresArg: true, describe: 'A service by its address' },
    'token-file': { type: 'string', requiresArg: true, describe: 'A file with the token, which only you can read' },
    config: { type: 'string', requiresArg: true, describe: 'The configuration file to use, in place of all others' },
    timeout: {
      ...positiveNumber('--timeout'),
      describe: 'Seconds to wait for an answer',
    },
  });
}

export function withPaceFlags<Flags>(yargs: Argv<Flags>) {
  return yargs.options({
    concurrency: {
      ...positiveWholeNumber('--concurrency'),
      describe: 'Requests at a time at most; the pace adjusts below it',
    },
    rate: {
      ...positiveNumber('--rate'),
      describe: 'Requests a second at most',
    },
    batch: {
      ...positiveWholeNumber('--batch'),
      describe: 'Transactions in one request',
    },
  });
}
