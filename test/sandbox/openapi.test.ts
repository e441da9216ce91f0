import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints, type RecordKind } from '../../src/contract/record-kind.ts';
import { idOf, storedKinds } from '../../src/sandbox/kinds.ts';
import { type JsonSchema, type OpenApiDocument, openApiDocument } from '../../src/sandbox/openapi.ts';
import { aCompany, aDeal } from './bodies.ts';
import { get, made, send } from './requests.ts';
import { useSandbox } from './running.ts';

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
    'with one part that is anything, sent to $method $path, are answered as the document says',
    async ({ method, path, operation, schema }) => {
      const anything = fc.oneof(fc.jsonValue(), fc.constantFrom('', 1e308, 'x'.repeat(2000), '\0', '\ud800'));
      const spoiled = fc
        .tuple(fc.infiniteStream(fc.nat()), anything)
        .map(([choices, replacement]) => replaced(exampleOf(schema), choices, replacement));
      await fc.assert(
        fc.asyncProperty(spoiled, async (json) => {
          const { status, headers, body, text } = await send(sandbox(), { method, path: pathWithId(path), json });
          expect(Object.keys(operation.responses), text).toContain(String(status));
          if (status < 400) return expectShown(body);
          expect(headers['content-type']).toBe('application/problem+json');
          expect(body).toMatchObject({ status, title: expect.any(String), detail: expect.any(String) });
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

/** What was made can be read, and its page can be shown. */
async function expectShown({ id }: Record<string, unknown>): Promise<void> {
  if (typeof id !== 'string') return;
  const kind = storedKinds.find((one) => idOf(one, Number(id.split('_')[1])) === id) as RecordKind;
  if (kind.readBy !== undefined) {
    const read = endpoints[kind.readBy].path.replace(/\{.*\}/, id);
    expect((await get(sandbox(), read)).status).toBe(200);
  }
  expect((await get(sandbox(), `/${kind.name}/${id}`)).status).toBe(200);
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
  const example: Record<string, unknown> = Object.fromEntries(entries);
  // Funder fields are for Funders (2.4), which no schema says.
  return 'submissionEmail' in example ? { ...example, contactTypes: ['Funder'] } : example;
}

/** Walks down by the choices and puts the replacement where the walk ends. */
function replaced(value: unknown, choices: Iterator<number>, replacement: unknown): unknown {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const choice: number = choices.next().value ?? 0;
  const key = keys[choice % Math.max(keys.length, 1)];
  if (key === undefined) return replacement;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = choice % 3 === 0 ? replacement : replaced(copy[key], choices, replacement);
  return copy;
}
