/** The inside of the page's thread: all that reads files, the ledger and the service, so that the server always answers at once. */
import { parentPort, workerData } from 'node:worker_threads';
import { DealsheetError } from '../errors.ts';
import { tokenIn } from '../service/tokens/credentials.ts';
import { profileNameIn, serviceAddressIn, storeProfile } from '../settings/stored-profiles.ts';
import { Desk, faultOf } from './desk.ts';
import {
  balancesOf,
  doubtsShown,
  type GivenFile,
  resolveDoubt,
  resultsOf,
  runsShown,
  wrongRowsOf,
} from './past-runs.ts';
import type { Asked, Fault, Given, Gives, PageState, Question, Wanted } from './protocol.ts';
import { keyOfProfile, type PageFlags } from './services.ts';

export interface WorkerData {
  readonly flags: PageFlags;
  readonly service: string | null;
}

/** What the server asks of the thread. */
export type Order =
  | { readonly id: number; readonly ask: Question; readonly given: unknown }
  | { readonly id: number; readonly open: string }
  | { readonly id: number; readonly want: Wanted }
  | { readonly id: number; readonly close: true };

export type Told =
  | { readonly state: PageState }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly fault: Fault };

const parent = parentPort;
if (parent === null) throw new Error('This file is the inside of a thread and is not run by itself.');
const tell = (told: Told) => parent.postMessage(told);
const { flags, service } = workerData as WorkerData;
const desk = new Desk(flags, service, (state) => tell({ state }));

const answers: { readonly [Name in Question]: (given: Given<Name>) => Promise<Gives<Name>> | Gives<Name> } = {
  choose: (given) => nothing(desk.choose(given)),
  rows: ({ sheet, from, count, filter }) => desk.rows(sheet, from, count, filter),
  reveal: ({ sheet, row, column }) => ({ text: desk.reveal(sheet, row, column) }),
  find: async ({ sheet, text, from, filter }) => ({ at: await desk.find(sheet, text, from, filter) }),
  correct: ({ changes }) => nothing(desk.correct(changes)),
  draft: () => desk.draft(),
  map: ({ decided, everyMonth }) => nothing(desk.map(decided, everyMonth)),
  undo: ({ number }) => nothing(desk.undo(number)),
  load: () => nothing(desk.load()),
  stop: () => nothing(desk.stop()),
  back: () => nothing(desk.back()),
  resume: ({ run }) => nothing(desk.resume(run)),
  runs: () => runsShown(flags),
  doubts: ({ run }) => doubtsShown(flags, run),
  resolve: async (given) => ({ told: await resolveDoubt(flags, given, desk.service) }),
  addService: async ({ name, address, token }) => {
    const profile = profileNameIn(name);
    const url = serviceAddressIn(address);
    await storeProfile({ name: profile, url, token: { text: tokenIn(token, 'the field', 'Paste the token alone.') } });
    desk.renewServices();
    await desk.choose({ service: keyOfProfile(profile) });
    return { told: `Kept: ${profile}, ${url.href}` };
  },
};

async function nothing(work: Promise<void> | void): Promise<null> {
  await work;
  return null;
}

async function fileOf(wanted: Wanted): Promise<GivenFile> {
  if (wanted.what === 'results') return resultsOf(flags, wanted.run);
  if (wanted.what === 'wrong') return wrongRowsOf(flags, wanted.run);
  if (wanted.what === 'balances') return balancesOf(flags, await desk.chosen());
  throw new DealsheetError('usage', 'There is no such file.', 'Reload the page.');
}

async function answerOf(order: Order): Promise<unknown> {
  if ('open' in order) return nothing(desk.open(order.open));
  if ('want' in order) return fileOf(order.want);
  if ('close' in order) return nothing(desk.close());
  if (!Object.hasOwn(answers, order.ask))
    throw new DealsheetError('usage', 'There is no such question.', 'Reload the page.');
  return (answers[order.ask] as (given: unknown) => Promise<Asked[Question]['gives']>)(order.given);
}

parent.on('message', (order: Order) => {
  void answerOf(order).then(
    (answer) => tell({ id: order.id, answer }),
    (error: unknown) => tell({ id: order.id, fault: faultOf(error) }),
  );
});
