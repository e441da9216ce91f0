/** What the options of an export may be: one that is left out by a script would ask for nothing, or show what is to be stars. */
import { wantedContract } from '../contract/contract-settings.ts';
import { refuseWrongOptions, type WantedOption } from '../errors.ts';
import {
  choice,
  isObject,
  oneOf,
  textOrNull,
  texts,
  type Wanted,
  wantedFunctions,
  wantedSending,
  wantedStream,
} from '../plan/wanted-options.ts';
import type { BalancesOptions, ExportEvents } from './balances-options.ts';
import { listColumns } from './columns.ts';
import { exportFormats } from './export-file.ts';
import type { RecordsEvents, RecordsOptions } from './records-options.ts';

const wantedOutput: WantedOption = {
  wanted: 'a path as a text, or null for standard output',
  isRight: (given) => given !== '' && textOrNull.isRight(given),
};

const wantedOfBoth = {
  output: wantedOutput,
  format: oneOf([...exportFormats, null]),
  columns: texts,
  lists: oneOf(listColumns),
  mask: choice,
  contract: wantedContract,
  now: { wanted: 'a Date', isRight: (given: unknown) => given instanceof Date && !Number.isNaN(given.getTime()) },
  signal: wantedSending.signal,
  standardOutput: wantedStream,
};

const wantedBalances: Wanted<BalancesOptions> = {
  ...wantedOfBoth,
  service: wantedSending.serviceUrl,
  query: {
    wanted: 'a list of names with their values, such as [["status", "open"]], or []',
    isRight: (given) => Array.isArray(given) && given.every((pair) => texts.isRight(pair) && pair.length === 2),
  },
  groupBy: texts,
  previous: textOrNull,
  key: textOrNull,
};

const wantedRecords: Wanted<RecordsOptions> = {
  ...wantedOfBoth,
  service: wantedSending.service,
  wanted: oneOf(['deals', 'companies']),
  ids: texts,
  asTemplate: choice,
};

const wantedClient: WantedOption = {
  wanted: 'what createServiceClient gives',
  isRight: (given) => isObject(given) && 'keep' in given,
};

/** @throws DealsheetError `usage` */
export function refuseWrongBalances(options: BalancesOptions, client: unknown, events: ExportEvents): void {
  refuseWrongOptions(options, wantedBalances);
  refuseWrongOptions({ client }, { client: wantedClient });
  refuseWrongOptions(events, wantedFunctions(['onPage', 'onWritten']));
}

/** @throws DealsheetError `usage` */
export function refuseWrongRecords(options: RecordsOptions, client: unknown, events: RecordsEvents): void {
  refuseWrongOptions(options, wantedRecords);
  refuseWrongOptions({ client }, { client: wantedClient });
  refuseWrongOptions(events, wantedFunctions(['onRead']));
}
