/** Texts about the service, by code: outcomes of requests, and why a run stops. */
import { lookItUp, lookUpRecord } from './ways.ts';

const rest = `[id? It gives the id "{id}".][reason? It said: {reason}] ${lookItUp}` as const;
const doubt = <Why extends string>(why: Why) => `The service answered {status}${why}.${rest}` as const;

export const serviceTexts = {
  refused:
    '[reason?{reason}|The service answered {status} and gave no reason.][together? It refused {together} rows in one request, perhaps for another of them: [shell?with --batch 1|with "batch": 1 in its profile] each row has its own answer.]',
  'refused-after-doubt': `{first} It was sent again and then refused: {refusal} ${lookItUp}`,

  'doubt-status': doubt(''),
  'doubt-no-declared-yes': doubt(' without a yes that is declared'),
  'doubt-without-id': doubt(' without the id of a record'),
  'doubt-unusable-id': doubt(' with an id that is empty, masked or not an id'),
  'doubt-contradiction': doubt(' with a no, and yet with a yes or an id'),
  'doubt-other-id': doubt(' with the id of another record'),
  'doubt-other-count': doubt(' with other rows, or another number of them, than were sent'),
  'doubt-no-list': doubt(' without the declared list of its rows'),
  'doubt-undeclared-beside-yes': doubt(' with a yes, and something beside it whose meaning is not declared'),
  'doubt-job': `The service [jobState?says that the work is "{jobState}": it did not end in time, or that state is not declared as its end|answered {status} that the work is under way].${rest}`,
  'doubt-page': doubt(' with a web page'),
  'doubt-no-record': doubt(' without a record that could be read'),
  'doubt-no-answer': `{fault} ${lookItUp}`,
  'id-given-twice': `The service gave the id {id} to this row and to another row: one record cannot be both. ${lookUpRecord}`,

  'read-says-no': 'The service said no: {said}',
  'read-other-record': 'The service answered with another record: {other}.',
  'read-without-record': 'The answer of the service holds no record[shape?: {shape}|.]',
  'read-in-part': 'The service sent only a part of the record (206).',
  'read-without-field': 'The answer has none of the fields of a company.',
  'read-unreadable': 'The service answered {status}, but its answer could not be read.',
  'page-elsewhere':
    'The service named a next page at another address. It was not read: the token goes only to the chosen address.',
  'health-unclear':
    'The health check of the service did not say that all is well: [reason?{reason}|It answered {status}.]',

  answered: 'The service answered {status}.[reason? It said: {reason}]',
  'request-not-made': '[why?{why}|The request could not be made.]',
  'run-ended': 'The run ended before this was sent.',

  'connection-failed': ({ error, peer }: { error: string; peer: string }) => connectionText(error, peer),
  'certificate-invalid': 'The certificate of {host} is not valid ({why}).',
  'open-files': 'No connection to {host} could be opened: this computer opens no more files ({error}).',
  'proxy-refused': 'There is no connection to {host}: {proxy} refused it with the status {status}.',

  'pause-asked': 'The service answered {status} and asks for a pause.',
  'pause-limited': 'The service answered {status}: too many requests for now.',
  'pause-used-up': 'The service answered {status}, and the requests that it allows for now are used up.',

  'stopped-by-redirect':
    '{host} answered {status} and named another address. It was not followed: records and token go only to the chosen address.',
  'stopped-not-the-service':
    '{host} answered {status} [isPage?with a web page|in a way that the service never should]. Something other than the service may be at this address, such as a sign-in page.',
  'stopped-long-wait': 'The service[status? answered {status} and] asks for a wait of {minutes} minutes.',
  'stopped-nothing-through':
    'The service has let no request through for {minutes} minutes. The last answer was {status}.',
  'stopped-closed':
    'The service answered {status} to everything: the first {answers} requests were all refused in the same way.',
  'stopped-many-doubts':
    '[isUnproven?A request left it open whether its records were made, and no request like it has got a row in during this run.|The answers to {requests} requests in a row left it open whether their records were made.]',
  'stopped-many-failures': 'The service keeps failing: {retries} requests were sent again, and too few went through.',
  'stopped-undeclared':
    'Your profile does not say how the service answers for {kind}, and its first answer is not a clear yes: {shape}',
  'stopped-same-rejection': 'The service refused {rows} rows in a row. The last reason: {refusal}',
  'stopped-token-refused': 'The service refused the token[wasRenewed?, and the renewed one as well].',
  'stopped-no-token': '[why?{why}|The token could not be read.]',

  'probe-yes': 'This answer is a yes: the record is in[id? as {id}].[why? {why}]',
  'probe-no': 'This answer is a no: the row is not in.[why? {why}]',
  'probe-doubt': 'By the rules this answer is neither a yes nor a no.[why? {why}]',
  'probe-not-sent':
    'The row was not sent.[why? {why}| It may be loaded already, or be held. dealsheet check shows what a load would do with each row. Choose another one with --row.]',
  'probe-invalid': '{sheet} row {row} has errors: nothing was sent.',
  'probe-record': 'This answer is the record {id}.',
  'probe-no-record': 'This answer is not the record.[why? {why}]',
  'probe-proposal': 'Look the row up in the service. If it is there, declare: {line}',
  'probe-written': 'Declared in {file}.',
  'probe-resolve':
    'The rules do not settle this row: it stays in doubt until you resolve it with: <dealsheet resolve {run} --row {place} --created ID>, or --not-created',
} as const;

/** What to do after a run has stopped or a read has failed. */
export const remedyTexts = {
  'check-certificate':
    'Check the service address and the date of this computer. If the service uses its own authority, name it in NODE_EXTRA_CA_CERTS.',
  'lower-concurrency':
    '[shell?Give a lower --concurrency, or raise the limit of open files (ulimit -n).|Raise the limit of open files (ulimit -n), and start the page again.]',
  'check-network': 'Check the network and the service address.',
  'name-proxy':
    'If the proxy asks for a name and a password (407), put them into the variable (http://NAME:PASSWORD@host:port). If the service is reached without the proxy, name it in NO_PROXY. Otherwise ask those who run the proxy to let it through.',
  'check-address': 'Check the service address.',
  'wait-minutes': 'Wait {minutes} minutes, then go on.',
  'wait-for-service': 'Wait until the service has recovered, then try again.',
  'check-access': 'Check the service address and what the token may do.',
  'look-up-doubts':
    'Look up the rows in doubt in the service, and find out what is wrong with it. If Problems shows an answer, and the rows are there, declare it under "answers" in the profile.',
  'declare-answers':
    'Look the row up in the service. If it is there, declare the answer in the profile, for example: {line}',
  'correct-rows': 'Correct what the rows have in common, then import the results file.',
  'get-token':
    '[from?The token is from {from}. ][shell?Replace it with a new one; dealsheet setup stores one.|Get a new token, and save it under “Services” by the name of the service.]',
  'check-token': '[why?{why}|Check where the token comes from.]',
} as const;

/** Why an answer leaves it open whether a record was created. */
export type Doubt = Exclude<
  keyof typeof serviceTexts extends infer Code ? (Code extends `doubt-${infer Why}` ? Why : never) : never,
  'no-answer'
>;

const connectionTexts: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The address of {peer} was not found.',
  ECONNREFUSED: 'No connection: {peer} refused it.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection: {peer} did not take it in time.',
  UND_ERR_HEADERS_TIMEOUT: 'No answer came from {peer} in time.',
  FILE_CHANGED: 'The file changed while it was sent, so its request was broken off before the end.',
  TOO_SLOW: 'The service did not complete its answer in time.',
};

function connectionText(error: string, peer: string): string {
  const broke = `The connection to {peer} broke${error === '' ? '' : ` (${error})`}.`;
  return (connectionTexts[error] ?? broke).replace('{peer}', () => peer);
}
