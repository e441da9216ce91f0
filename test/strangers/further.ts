/** Strangers that are rows of a table: how each names things, what it answers, and the profile that fits it. */

import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { expectExit } from '../builders/expected.ts';
import { type Answer, type Asked, faultIn, type Routes, type Shape, type Stranger, startStranger } from './stranger.ts';
import { type Desk, deskOf, everyKind } from './stranger-load.ts';

const documented = {
  companies: { name: 'text', contactTypes: ['text'], ein: 'text' },
  'company-updates': { dba: 'text' },
  leads: { 'company.name': 'text', amountRequested: 'number', renewal: 'text' },
  deals: {
    ...{ 'company.id': 'text', amountRequested: 'number', useOfProceeds: 'text' },
    ...{ 'owner1.firstName': 'text', 'owner1.lastName': 'text' },
  },
  notes: { dealId: 'text', status: 'text', note: 'text' },
  attachments: {},
  submissions: { dealId: 'text', companyId: 'text', status: 'text' },
  'submission-loans': { submissionId: 'text', dealId: 'text', amount: 'number', fundedDate: 'text' },
  transactions: { dealId: 'text', date: 'text', amount: 'number', reference: 'text' },
} satisfies Record<string, Readonly<Record<string, Shape>>>;
export type Kind = keyof typeof documented;
export const kinds = Object.keys(documented) as Kind[];
export const paths: Readonly<Record<Kind, string>> = {
  ...{ companies: 'company', 'company-updates': 'company', leads: 'lead', deals: 'deal', notes: 'deal/note' },
  ...{ attachments: 'deal/attachment', submissions: 'submission', 'submission-loans': 'submissionLoan' },
  transactions: 'transactions',
};

export type Body = Readonly<Record<string, unknown>>;
export interface Row {
  readonly id: string;
  readonly row: Body;
  readonly is: 'made' | 'refused' | 'late';
}
type Door = (kind: Kind) => (asked: Asked) => Answer;
export interface Further {
  readonly name: string;
  /** What the service calls a documented field, with its type where it is another. */
  readonly called: (path: string, kind: Kind) => string;
  readonly constants?: (kind: Kind) => Readonly<Record<string, string>>;
  /** Without it, the rows of a batch stand where they are said to, and records by themselves. */
  readonly requests?: (kind: Kind) => object;
  readonly answers: object;
  readonly contract?: object;
  /** Where its tokens come from, unless there is one alone. */
  readonly tokens?: (url: string) => { readonly tokenCommand: readonly string[] };
  readonly mediaType?: string;
  readonly around?: (record: Shape, kind: Kind) => Shape;
  /** Where the rows of a batch stand, unless they come one by one; empty where they are the whole. */
  readonly rows?: string;
  /** How it writes an id of three digits. */
  readonly id?: (digits: string) => string;
  readonly made: (id: string, kind: Kind, body: Body) => Answer;
  readonly no: (fault: string) => Answer;
  readonly madeAll?: (rows: readonly Row[]) => Answer;
  readonly read: (id: string, body: Body, kind: Kind) => unknown;
  readonly balances: (ids: readonly string[], asked: Asked) => Answer;
  /** Answers to a deal, and to a batch, that was taken: nobody can tell from them. */
  readonly odd: readonly Answer[];
  readonly oddToAll: unknown;
  /** Whether rows of a batch are refused one by one, with ids for the others. */
  readonly tellsRows?: boolean | 'without ids';
  /** What stands in place of the usual routes, or beside them. */
  readonly routes?: (usual: { readonly take: Door; readonly read: Door }) => Routes;
  /** What answers in place of a route. */
  readonly before?: (asked: Asked) => Answer | null;
  /** Where a record stands below the path of its kind. */
  readonly place?: (id: string) => string;
}

export const ok = (body: unknown) => json(200, body);
export const json = (status: number, body: unknown): Answer => ({ status, body: written(body) });
export const written = (body: unknown): string =>
  JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? String(value) : value));
export const inside = (body: unknown, path: string): unknown =>
  path === '' ? body : path.split('.').reduce((at, name) => (at as Body)[name], body);
export const pascal = (path: string) => path.replace(/(?:^|\.)(.)/g, (_, letter: string) => letter.toUpperCase());
export const snake = (path: string) =>
  path.replaceAll('.', '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What a service has at the places by which it calls the fields of a kind. */
function shapeOf({ called, constants, rows, around }: Further, kind: Kind): Shape {
  const shape: Record<string, unknown> = {};
  const put = (target: string, held: Shape) => {
    const [path = '', given = ''] = target.split(':');
    const type = given === 'number' ? 'whole' : given === 'text' ? given : held;
    const names = path.replaceAll('[0]', '.0').split('.');
    let at = shape;
    for (const [place, name] of names.slice(0, -1).entries()) {
      at[name] ??= names[place + 1] === '0' ? [] : {};
      at = at[name] as Record<string, unknown>;
    }
    at[names.at(-1) ?? ''] = type;
  };
  for (const [path, held] of Object.entries<Shape>(documented[kind])) put(called(path, kind), held);
  for (const [path, held] of Object.entries(constants?.(kind) ?? {})) put(path, held);
  if (around !== undefined) return around(shape as Shape, kind);
  if (kind !== 'transactions' || rows === undefined) return shape as Shape;
  return rows === '' ? [shape as Shape] : { [rows]: [shape as Shape] };
}

function profileOf({ called, constants, requests, answers, contract, ...further }: Further, url: string): object {
  const { rows = '', tokens } = further;
  const standard = (kind: Kind) => (kind === 'transactions' ? { envelope: rows === '' ? null : rows } : {});
  const rules = kinds.map((kind) => {
    const names = Object.fromEntries(Object.keys(documented[kind]).map((path) => [path, called(path, kind)]));
    const { rename = {}, ...own } = (requests ?? standard)(kind) as { rename?: object };
    const written = { constants: constants?.(kind), rename: { ...names, ...rename }, ...own };
    return [kind, kind === 'attachments' ? {} : written];
  });
  return { url, ...tokens?.(url), batch: 5, contract: { ...contract, answers, requests: Object.fromEntries(rules) } };
}

export const fits = (strangers: readonly Further[]): void =>
  describe.each(strangers)('a service of $name', (further) => {
    let service: Stranger;
    let desk: Desk;
    let made: Record<string, { readonly id: string; readonly body: Body }[]>;
    afterEach(async () => {
      await service.stop();
      desk.remove();
    });

    const { id: idOf = (digits: string) => digits } = further;
    const add = (kind: Kind, body: Body) => {
      const list = made[kind] ?? [];
      made[kind] = list;
      const digits = String(100 * (kinds.indexOf(kind) + 1) + list.length);
      const id = kind === 'company-updates' ? '900' : idOf(digits);
      list.push({ id, body });
      return id;
    };

    async function start(proceeds: readonly string[], madeAll = further.madeAll, strict = /never/): Promise<void> {
      made = {};
      const take = (kind: Kind) => (asked: Asked) => {
        const body: Body = kind === 'attachments' ? { content: asked.parts.at(-1)?.content } : asked.body;
        const said = written(body);
        if (kind !== 'attachments') {
          if (asked.type !== (further.mediaType ?? 'application/json')) return { status: 415 };
          const fault = faultIn(body, shapeOf(further, kind)) ?? (said.includes('Casino') ? 'No casinos' : null);
          if (fault !== null) return further.no(fault);
        }
        if (kind === 'transactions' && madeAll !== undefined && further.rows !== undefined) {
          const rows = (inside(body, further.rows) as Body[]).map((row): Row => {
            const [, trace] = strict.exec(written(row)) ?? [];
            if (trace === '2') return { id: '', row, is: 'refused' };
            return { id: add(kind, row), row, is: trace === '3' ? 'late' : 'made' };
          });
          return madeAll(rows);
        }
        const id = add(kind, body);
        const [, place] = /odd (\d)/.exec(said) ?? [];
        return place === undefined ? further.made(id, kind, body) : (further.odd[Number(place)] as Answer);
      };
      const read = (kind: Kind) => (asked: Asked) => {
        const found = made[kind]?.find(({ id }) => BigInt(id) === BigInt(asked.places[0] ?? ''));
        return found === undefined ? { status: 404 } : ok(further.read(asked.places[0] ?? '', found.body, kind));
      };
      const { place = (id: string) => `/${id}` } = further;
      const routes: Routes = {
        ...Object.fromEntries(kinds.map((kind) => [`POST /v1/${paths[kind]}`, take(kind)])),
        'POST /v1/company': take('companies'),
        [`PATCH /v1/company${place('900')}`]: take('company-updates'),
        [`GET /v1/company${place('{}')}`]: read('companies'),
        [`GET /v1/deal${place('{}')}`]: read('deals'),
        'GET /v1/loan/balances': (asked) =>
          further.balances(
            (made.deals ?? []).map(({ id }) => id),
            asked,
          ),
        ...further.routes?.({ take, read }),
      };
      service = await startStranger(routes, further.before === undefined ? {} : { before: further.before });
      desk = await deskOf(profileOf(further, service.url), everyKind(proceeds));
    }
    const counts = () => kinds.map((kind) => made[kind]?.length ?? 0);
    const exported = async (...words: string[]) => {
      const ended = await desk.run('export', ...words, '--profile', 'stranger', '-o', `${words[0]}.json`);
      // The company that was updated was made elsewhere.
      expect(ended.exitCode, ended.stderr).toBe(words[0] === 'companies' ? 1 : 0);
      return JSON.parse(readFileSync(desk.path(`${words[0]}.json`), 'utf8')) as { record?: Record<string, unknown> }[];
    };

    it('gets every record of every kind once, and gives them back', async () => {
      await start(['Ovens', 'Chairs', 'Vans']);
      await expectExit(desk.load(), 0);
      expect(counts()).toEqual([2, 1, 2, 3, 3, 1, 1, 1, 9]);
      expect(made.attachments?.[0]?.body).toEqual({ content: 'June: 100.00' });
      const ids = (await desk.results('Companies')).map(([status, id]) => `${status} ${BigInt(String(id))}`);
      expect(ids).toEqual(['100', '101'].map((digits) => `Created ${idOf(digits)}`));
      expect((await desk.load()).exitCode).toBe(0);
      expect(counts()).toEqual([2, 1, 2, 3, 3, 1, 1, 1, 9]);
      const deals = await exported('deals', '--ids', 'month.results.xlsx');
      expect(deals.map(({ record }) => record?.useOfProceeds)).toEqual(
        expect.arrayContaining(['Ovens', 'Chairs', 'Vans']),
      );
      const companies = await exported('companies', '--ids', 'month.results.xlsx');
      expect(companies.flatMap(({ record }) => record?.name ?? [])).toEqual(['Harbor LLC', 'Blue Funding']);
      const balances = await exported('balances');
      expect(balances.map((balance) => JSON.stringify(balance).includes('100.25'))).toEqual([true, true, true]);
    });

    it('has its refusals told, and is not asked again where it was unclear', async () => {
      const { odd, oddToAll, rows } = further;
      await start(['Casino', ...odd.flatMap((_, at) => [`odd ${at}`, `Vans ${at}`])], () => ok(oddToAll));
      await expectExit(desk.load('--concurrency', '1', '--batch', '15'), 6);
      const deals = await desk.rows('Deals');
      expect(deals.map(({ Status }) => Status)).toEqual(['Rejected', ...odd.flatMap(() => ['In doubt', 'Created'])]);
      expect(deals[0]?.Problems).toMatch(/No casinos/i);
      const payments = new Set((await desk.results('Transactions')).map(([status]) => status));
      expect(payments).toEqual(new Set(['Waiting', rows === undefined ? 'Created' : 'In doubt']));
      const before = counts();
      await desk.load();
      expect(counts()).toEqual(before);
    });

    const tells = (further.tellsRows ?? false) === false ? null : it;
    tells?.('tells the rows of a batch apart', async () => {
      await start(['Ovens', 'Vans'], further.madeAll, /ACH-2-(\d)/);
      expect((await desk.load('--batch', '6')).exitCode).toBe(6);
      const statuses = (await desk.results('Transactions')).map(([status]) => status);
      const taken = further.tellsRows === 'without ids' ? 'Accepted' : 'Created';
      expect(statuses).toEqual([...Array.from({ length: 4 }, () => taken), 'Rejected', 'In doubt']);
    });
  });
