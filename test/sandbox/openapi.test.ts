import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../src/contract/record-kind.ts';
import { type JsonSchema, type OpenApiDocument, openApiDocument } from '../../src/sandbox/openapi.ts';
import { aCompany, aDeal } from './bodies.ts';
import { get, made, rulesOf, send } from './requests.ts';
import { useSandbox } from './running.ts';
import { brokenValue, goodValue } from './schema-values.ts';

const sandbox = useSandbox();
const runs = process.env.DEALSHEET_LONG === '1' ? 3000 : 50;
const document = openApiDocument('http://127.0.0.1');

function resolve(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (document.components.schemas[name] ?? schema);
}

/** Every operation with a JSON body. */
const writes = Object.values(endpoints).flatMap(({ method, path }) => {
  const operation = document.paths[path]?.[method.toLowerCase()];
  const schema = operation?.requestBody?.content['application/json']?.schema as JsonSchema | undefined;
  return operation === undefined || schema === undefined ? [] : [{ method, path, operation, schema }];
});

beforeAll(async () => {
  await made(sandbox(), '/v1/deal', aDeal());
  await made(sandbox(), '/v1/company', aCompany({ contactTypes: ['Funder'] }));
  await made(sandbox(), '/v1/submission', { dealId: 'deal_000001' });
});

describe('the OpenAPI document', () => {
  it('is served, in version 3.1, with every endpoint of the interface', async () => {
    const { body } = await get(sandbox(), '/openapi.json');
    const served = body as unknown as OpenApiDocument;
    expect(served.openapi).toBe('3.1.0');
    expect(served.servers).toEqual([{ url: sandbox().url }]);
    const operations = Object.entries(served.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.sort()).toEqual(
      Object.values(endpoints)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    );
  });

  it('is valid', async () => {
    expect(
      await new Validator().validate(structuredClone(document) as unknown as Record<string, unknown>),
    ).toMatchObject({ valid: true });
  });

  it('has nothing that a strict linter finds', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it('gives examples that the sandbox itself takes', async () => {
    for (const { method, path, operation, schema } of writes) {
      const { status, text } = await send(sandbox(), { method, path: pathWithId(path), json: exampleOf(schema) });
      expect(Object.keys(operation.responses), text).toContain(String(status));
      expect(status, text).toBeLessThan(300);
    }
  });
});

describe('bodies made from the document', () => {
  it.each(writes)(
    'good ones for $method $path are taken, or refused for an id alone',
    async ({ method, path, operation, schema }) => {
      await fc.assert(
        fc.asyncProperty(goodValue(schema, resolve), async (value) => {
          const json = asFunder(value, method === 'PATCH');
          const answer = await send(sandbox(), { method, path: pathWithId(path), json });
          const { status, body, text } = answer;
          expect(Object.keys(operation.responses), text).toContain(String(status));
          expect(rulesOf(answer).filter((rule) => !isBeyondSchemas.test(rule))).toEqual([]);
          if (status < 300) await expectShown(body);
        }),
        { numRuns: runs },
      );
    },
  );

  it.each(writes)(
    'broken ones for $method $path are answered as the document says, never with 500',
    async ({ method, path, operation, schema }) => {
      await fc.assert(
        fc.asyncProperty(brokenValue(schema, resolve), async (json) => {
          const { status, headers, body, text } = await send(sandbox(), { method, path: pathWithId(path), json });
          expect(Object.keys(operation.responses), text).toContain(String(status));
          if (status >= 400) {
            expect(headers['content-type']).toBe('application/problem+json');
            expect(body).toMatchObject({ status, title: expect.any(String), detail: expect.any(String) });
          } else {
            await expectShown(body);
          }
        }),
        { numRuns: runs },
      );
    },
  );

  it('no query, id or path brings a 500', async () => {
    const anyPath = fc.constantFrom(
      '/v1/deal/',
      '/v1/company/',
      '/v1/loan/balances?dealId=',
      '/deals?q=',
      '/deals?page=',
      '/notes/',
      '/sandbox/accepted?after=',
      '/',
    );
    await fc.assert(
      fc.asyncProperty(anyPath, fc.string({ unit: 'grapheme', maxLength: 40 }), async (path, text) => {
        const encoded = encodeURIComponent(text);
        expect((await get(sandbox(), `${path}${encoded}`)).status).toBeLessThan(500);
      }),
      { numRuns: runs },
    );
  });
});

/** Ids of records that are here, and the amount times the factor rate: what no schema can say. */
const isBeyondSchemas = / unknown-id$/;

/** What was made can be read, and its page can be shown. */
async function expectShown({ id }: Record<string, unknown>): Promise<void> {
  if (typeof id !== 'string') return;
  const kind = id.replace(/_\d+$/, '');
  const api = { deal: '/v1/deal', cmp: '/v1/company' }[kind];
  const pages = {
    deal: 'deals',
    cmp: 'companies',
    note: 'notes',
    lead: 'leads',
    sub: 'submissions',
    loan: 'submission-loans',
  }[kind];
  if (api !== undefined) expect((await get(sandbox(), `${api}/${id}`)).status).toBe(200);
  expect((await get(sandbox(), `/${pages}/${id}`)).status).toBe(200);
}

/**
 * Funder fields are for Funders (2.4), which a schema says for the whole object and not for the field; and a change may meet
 * them on the company that it changes.
 */
function asFunder(value: unknown, isChange = false): unknown {
  const company = value as Record<string, unknown>;
  const hasFunderField = company.submissionEmail !== undefined || company.defaultReceivableCommission !== undefined;
  const mustBeFunder = (hasFunderField || isChange) && Array.isArray(company.contactTypes);
  return mustBeFunder ? { ...company, contactTypes: ['Funder'] } : value;
}

function pathWithId(path: string): string {
  return path.replace('{id}', 'cmp_000002');
}

/** The value that the examples of the fields come to. */
function exampleOf(schema: JsonSchema): unknown {
  const { type, properties = {}, items, examples, enum: choices, title, anyOf } = resolve(schema);
  if (title === 'Company' && properties.id !== undefined) return { name: 'Harbor Bakery LLC' };
  if (examples !== undefined) return (examples as unknown[])[0];
  if (choices !== undefined) return choices[0];
  if (anyOf !== undefined && type === undefined) return exampleOf(anyOf[0] as JsonSchema);
  if (type === 'array') return [exampleOf((items ?? {}) as JsonSchema)];
  const entries = Object.entries(properties).map(([name, property]) => [name, exampleOf(property as JsonSchema)]);
  return asFunder(Object.fromEntries(entries));
}
