import { connect } from 'node:net';
import { afterAll, beforeAll, bench, describe } from 'vitest';
import { folderForAllTests } from '../builders/temporary-folder.ts';
import { type CompiledSandbox, compileSandbox } from '../sandbox/compiled-sandbox.ts';
import { type SandboxProcess, startSandboxProcess } from '../sandbox/sandbox-process.ts';

const dealsInStore = 100_000;
const dealsInRound = 20_000;
const connections = 32;
const rounds = { iterations: 3, warmupIterations: 1, time: 0, warmupTime: 0 };
const views = { iterations: 30, warmupIterations: 3, time: 0, warmupTime: 0 };

let compiled: CompiledSandbox;
const inFolder = folderForAllTests();
let sandbox: SandboxProcess;

beforeAll(async () => {
  compiled = compileSandbox();
  sandbox = await startSandboxProcess(compiled, { dataFile: inFolder('sandbox.db') });
  await createDeals(dealsInStore);
});

afterAll(async () => {
  await sandbox.kill();
  compiled.remove();
});

describe('durable creates', () => {
  bench(
    `${dealsInRound} deals over ${connections} connections`,
    async () => {
      const started = performance.now();
      await createDeals(dealsInRound);
      const seconds = (performance.now() - started) / 1000;
      process.stdout.write(`${Math.round(dealsInRound / seconds)} deals a second\n`);
    },
    rounds,
  );
});

describe('pages over 100,000 deals', () => {
  for (const path of [
    '/',
    '/deals',
    '/deals?page=1500',
    '/deals?q=bakery%2077',
    '/deals?q=nothing-like-it',
    '/companies?q=bakery%2077',
    '/deals/deal_050000',
  ]) {
    bench(
      path,
      async () => {
        const answer = await fetch(`${sandbox.url}${path}`);
        await answer.text();
        if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`);
      },
      views,
    );
  }
});

/** A deal of the usual size, some 33 fields. */
function dealBody(number: number): string {
  return JSON.stringify({
    amountRequested: 50_000 + number,
    stage: 'Application',
    company: {
      name: `Harbor Bakery ${number} LLC`,
      dba: 'Harbor Bakery',
      industry: 'Bakeries',
      website: 'https://harborbakery.example',
      businessStartDate: '2015-03-01',
      ein: '12-3456789',
      stateIncorporated: 'NY',
      addresses: [{ line1: '120 Main Street', line2: 'Suite 4', city: 'Albany', state: 'NY', zip: '12207' }],
      phones: [{ number: '(518) 555-0142', type: 'Office' }],
      emails: [{ email: 'office@example.com' }],
    },
    owner1: {
      title: 'President',
      firstName: 'Ada',
      lastName: 'Moreno',
      ssn: '219-09-9999',
      dob: '1980-04-17',
      ownership: 60,
      creditScore: 705,
      phones: [{ number: '(518) 555-0143' }],
      emails: [{ email: 'ada@example.com' }],
    },
    entityType: 'LLC',
    useOfProceeds: 'Second oven',
    financial: { averageMonthlyGross: 42_000, grossAnnual: 504_000 },
    bank: { deposits: 39_000, nsfs: 1, averageBalance: 8200 },
    permission: 'Everyone',
    assignedTo: ['p.shah', 'm.cole'],
    tags: ['renewal', 'food'],
  });
}

/** Sends deals over several connections, one at a time on each; fails when one is not made. */
function createDeals(count: number): Promise<void> {
  const { hostname, port } = new URL(sandbox.url);
  let sent = 0;
  let answered = 0;
  return new Promise((resolve, reject) => {
    const sockets = Array.from({ length: connections }, () => connect(Number(port), hostname));
    const finish = (error: Error | null) => {
      for (const socket of sockets) socket.destroy();
      if (error === null) resolve();
      else reject(error);
    };
    for (const socket of sockets) {
      const send = () => {
        sent += 1;
        const body = dealBody(sent);
        socket.write(
          `POST /v1/deal HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${sandbox.token}\r\n` +
            `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        );
      };
      socket.setNoDelay(true);
      socket.once('connect', send);
      socket.on('error', finish);
      socket.on('data', (answer) => {
        if (!answer.toString('latin1').startsWith('HTTP/1.1 201')) return finish(new Error(answer.toString()));
        answered += 1;
        if (answered === count) finish(null);
        else if (sent < count) send();
      });
    }
  });
}
