/** The flags of a command in the groups of its help: those that a person needs first, then by what they are about. */
import type { Argv } from 'yargs';

const groups: Readonly<Record<string, readonly string[]>> = {
  'Most used:': ['profile', 'sandbox', 'yes', 'results', 'as', 'output', 'limit', 'row'],
  'The file:': [
    ...['sheet', 'mapping', 'remember', 'date-order', 'ignore-columns', 'ignore-sheets', 'attachments', 'encoding'],
    ...['delimiter', 'ids', 'id', 'from', 'data', 'sandbox-data'],
  ],
  'The service:': [
    ...['url', 'token-file', 'config', 'timeout', 'concurrency', 'rate', 'batch', 'query', 'port', 'faults', 'latency'],
    ...['token-ttl', 'name'],
  ],
  'Safety:': [
    ...['ledger', 'plan', 'apply', 'all-or-nothing', 'expect-count', 'expect-total', 'allow', 'strict', 'again'],
    ...['skip-loaded', 'trust-results', 'created', 'not-created', 'all-not-created', 'changed-since', 'prune-before'],
  ],
  'Output:': [
    ...[
      'mask',
      'format',
      'columns',
      'lists',
      'group-by',
      'key',
      'previous',
      'as-template',
      'minimal',
      'every',
      'examples',
    ],
    ...['only', 'by', 'write', 'json', 'log', 'quiet', 'debug', 'version', 'help'],
  ],
};

/** @param flags  those that the command has */
export function grouped(yargs: Argv, flags: readonly string[]): Argv {
  for (const [title, names] of Object.entries(groups)) {
    const here = names.filter((name) => flags.includes(name));
    if (here.length > 0) yargs.group(here, title);
  }
  return yargs;
}

export const groupedFlags: readonly string[] = Object.values(groups).flat();
