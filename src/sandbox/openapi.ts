/** The OpenAPI 3.1 document of the sandbox. Its schemas are the ones that the sandbox checks with. */
import * as z from 'zod';
import { type FieldFacts, factsRegistry } from '../contract/field-facts.ts';
import { type EndpointName, endpoints, type RecordKind } from '../contract/record-kind.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import { mostInBatch } from './api/operations.ts';
import { endpointNames, kindWith } from './kinds.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;
export type OpenApiDocument = ReturnType<typeof openApiDocument>;

const json = 'application/json';

export function openApiDocument(url: string) {
  const paths: Record<string, Record<string, ReturnType<typeof operationOf>>> = {};
  for (const name of endpointNames) {
    const { method, path } = endpoints[name];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(name) };
  }
  const schemas: Readonly<Record<string, JsonSchema>> = {
    ...Object.assign({}, ...recordKinds.map(bodySchemasOf)),
    CreateResult: createResultSchema,
    OpenObject: { type: 'object', description: 'The interface does not define this shape; a call shows it.' },
    Problem: problemSchema,
  };
  const problem = { 'application/problem+json': { schema: refTo('Problem') } };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dealsheet sandbox',
      version: 'v1',
      description:
        'The Deal and Company Service Interface as the sandbox serves it. What the interface does not show is an assumption, and says so.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'POST /sandbox/token gives a token.' },
      },
      responses: { Problem: { description: 'What is wrong, field by field.', content: problem } },
      schemas,
    },
  };
}

function operationOf(name: EndpointName) {
  const { path, purpose, section } = endpoints[name];
  const kind = kindWith('endpoint', name);
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => ({ name: parameter, in: 'path', required: true })),
    ...(name === 'getLoanBalances' ? [{ name: 'dealId', in: 'query', description: 'The loans of this deal.' }] : []),
  ].map((parameter) => ({ ...parameter, schema: { type: 'string' } }));
  const problems = [
    ...['401', '429'],
    ...(kind === undefined ? [] : ['400', '413', '415', '422']),
    ...(parameters.length === 0 ? [] : ['404']),
  ];
  const isOpen = kind === undefined || kind.sending.isBatch;
  const success = { [json]: { schema: refTo(isOpen ? 'OpenObject' : 'CreateResult') } };
  return {
    operationId: name,
    summary: purpose,
    description: `Service interface ${section}.`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(kind === undefined ? {} : { requestBody: { required: true, content: requestOf(kind) } }),
    responses: {
      [isOpen || kind.sending.isUpdate ? '200' : '201']: { description: 'Done.', content: success },
      ...Object.fromEntries(problems.map((status) => [status, { $ref: '#/components/responses/Problem' }])),
    } as Readonly<Record<string, unknown>>,
  };
}

function requestOf(kind: RecordKind) {
  const mediaType: string = kind.sending.hasFile ? 'multipart/form-data' : json;
  return { [mediaType]: { schema: refTo(Object.keys(bodySchemasOf(kind))[0] ?? '') } };
}

/** The schemas of a kind's request by name, that of the whole body first. */
function bodySchemasOf(kind: RecordKind): Record<string, JsonSchema> {
  const one = nameOf(kind.singular);
  const own = { [one]: bodySchema(kind) };
  if (!kind.sending.isBatch) return own;
  const rows = { type: 'array', minItems: 1, maxItems: mostInBatch, items: refTo(one) } as const;
  return { [nameOf(kind.sheet)]: objectOf({ [kind.name]: rows }), ...own };
}

function nameOf(words: string): string {
  return words.replaceAll(/(?:^| )(\w)/g, (_match, first: string) => first.toUpperCase());
}

function bodySchema(kind: RecordKind): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(kind.body, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const facts = zodSchema instanceof z.ZodType ? factsRegistry.get(zodSchema) : undefined;
      if (facts?.type === 'field') Object.assign(jsonSchema, describedBy(facts, jsonSchema));
      if (facts?.type !== 'group' || facts.label === '') return;
      jsonSchema.title = facts.label;
      // A group with its own rule must not be empty.
      if (zodSchema instanceof z.ZodObject && zodSchema.def.checks !== undefined) jsonSchema.minProperties = 1;
    },
  });
  return schema as JsonSchema;
}

function describedBy(facts: FieldFacts, schema: JsonSchema): JsonSchema {
  const origin = facts.source === 'documented' ? 'Documented.' : 'Assumed: the service interface does not show it.';
  return {
    ...(facts.label === '' ? {} : { title: facts.label }),
    ...(facts.format === 'file' ? { contentMediaType: 'application/octet-stream' } : {}),
    description: [facts.rule, origin].filter((text) => text !== undefined).join(' '),
    examples: [exampleOf(facts, schema)],
  };
}

function exampleOf({ example }: FieldFacts, schema: JsonSchema): unknown {
  if (schema.type === 'array') return example.split(/[;,]/).map((text) => text.trim());
  return schema.type === 'number' ? Number(example) : example;
}

const text = { type: 'string' } as const;
const fieldErrorSchema = { ...objectOf({ path: text, rule: text, message: text }), additionalProperties: true };
const problemSchema = objectOf({
  type: text,
  title: text,
  status: { type: 'integer' },
  detail: text,
  errors: { type: 'array', items: fieldErrorSchema },
});

/** The documented result of Add a deal and Add a company (2.6). */
const createResultSchema: JsonSchema = {
  type: 'object',
  required: ['success', 'id', 'url'],
  properties: { success: { type: 'boolean' }, id: text, company: objectOf({ id: text }), url: text },
};

function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

function refTo(schema: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${schema}` };
}
