/** The page's worker: reads files and uses the ledger and the service, so that the server always answers at once. */
import { parentPort, workerData } from 'node:worker_threads';
import { errorOf } from '../messages/text.ts';
import { tellOnPage } from '../messages/ways.ts';
import { readAddress } from '../service/address.ts';
import { tokenIn } from '../service/tokens.ts';
import { ownProfile, profileNameIn } from '../settings/configuration.ts';
import { passFlagsOn } from '../settings/ledger-choice.ts';
import { LoadSession } from './load-session.ts';
import { doubtsShown, givenFile, resolveDoubt, runsShown } from './past-runs.ts';
import type { Fault, Given, Gives, PageState, Question, Wanted } from './protocol.ts';
import type { PageFlags } from './services.ts';
import { faultOf } from './shown-load.ts';

export interface WorkerData {
  readonly flags: PageFlags;
  readonly service: string | null;
}

/** A request of the server, for the page or for itself. */
export interface Order {
  readonly id: number;
  readonly from: 'page' | 'server';
  readonly ask: string;
  readonly given: unknown;
}

export type News =
  | { readonly state: PageState }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly fault: Fault };

tellOnPage();
const parent = parentPort;
if (parent === null) throw new Error('This file is the inside of a thread and is not run by itself.');
const tell = (news: News) => parent.postMessage(news);
const { flags, service } = workerData as WorkerData;
passFlagsOn(flags);
const session = new LoadSession(flags, service, (state) => tell({ state }));

const forPage: { readonly [Name in Question]: (given: Given<Name>) => Promise<Gives<Name>> | Gives<Name> } = {
  choose: (given) => session.choose(given),
  correct: (given) => session.correct(given),
  undo: (given) => session.undo(given),
  map: (given) => session.map(given),
  load: (given) => session.load(given),
  stop: () => session.stop(),
  back: () => session.back(),
  resume: (given) => session.resume(given),
  rows: (given) => session.window.rows(given),
  find: (given) => session.window.find(given),
  reveal: (given) => session.window.reveal(given),
  draft: (given) => session.draft(given),
  runs: () => runsShown(flags),
  doubts: ({ run }) => doubtsShown(flags, run),
  resolve: async (given) => {
    const said = await resolveDoubt(flags, given, session.service);
    await session.countAgain(given.run);
    return said;
  },
  addService: ({ name: typed, address, token }) => {
    const name = profileNameIn(typed);
    const url = readAddress(address.trim() || (ownProfile(name)?.url ?? ''));
    return session.addService({ name, url, token: { text: tokenIn(token, null) } });
  },
};

/** Only the server may name a file of this computer. */
const forServer = {
  open: (path: string) => session.open(path),
  file: (wanted: Wanted) => givenFile(flags, wanted, () => session.chosenService()),
  close: () => session.close(),
};
async function answerOf({ from, ask, given }: Order): Promise<unknown> {
  const answers = (from === 'page' ? forPage : forServer) as Readonly<Record<string, (given: unknown) => unknown>>;
  const answer = Object.hasOwn(answers, ask) ? answers[ask] : undefined;
  if (answer === undefined) throw errorOf('page-asks-unknown');
  return (await answer(given)) ?? null;
}

parent.on('message', (order: Order) => {
  const { id } = order;
  void answerOf(order).then(
    (answer) => tell({ id, answer }),
    (error: unknown) => tell({ id, fault: faultOf(error) }),
  );
});
