/** The OpenAPI 3.1 document of the sandbox: the interface's endpoints with the schemas by which they are really checked. */
import * as z from 'zod';
import { assumedContract } from '../../contract/contract-settings.ts';
import { createResultSchema } from '../../contract/create-result.ts';
import { type EndpointName, endpoints } from '../../contract/endpoints.ts';
import type { RecordKindName } from '../../contract/record-kind.ts';
import { envelope, mostTransactions } from '../api/transactions.ts';
import { bodySchema, type JsonSchema } from './schemas.ts';

export interface OpenApiOperation {
  readonly operationId: EndpointName;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly unknown[];
  readonly requestBody?: {
    readonly required: true;
    readonly content: Readonly<Record<string, { readonly schema: unknown }>>;
  };
  readonly responses: Readonly<Record<string, unknown>>;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly unknown[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly securitySchemes: unknown;
    readonly responses: unknown;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

interface EndpointWords {
  /** The body's schema among the components, and its media type. */
  readonly body?: { readonly schema: string; readonly mediaType: 'application/json' | 'multipart/form-data' };
  readonly success: { readonly status: '200' | '201'; readonly schema: string };
  readonly query?: readonly { readonly name: string; readonly description: string }[];
}

const json = 'application/json' as const;
const made = { status: '201', schema: 'CreateResult' } as const;

const words: Readonly<Record<EndpointName, EndpointWords>> = {
  addLead: { body: { schema: 'Lead', mediaType: json }, success: made },
  addDeal: { body: { schema: 'Deal', mediaType: json }, success: made },
  getDeal: { success: { status: '200', schema: 'OpenObject' } },
  addNote: { body: { schema: 'Note', mediaType: json }, success: made },
  addAttachment: { body: { schema: 'Attachment', mediaType: 'multipart/form-data' }, success: made },
  addCompany: { body: { schema: 'Company', mediaType: json }, success: made },
  getCompany: { success: { status: '200', schema: 'OpenObject' } },
  updateCompany: {
    body: { schema: 'CompanyUpdate', mediaType: json },
    success: { status: '200', schema: 'CreateResult' },
  },
  addSubmission: { body: { schema: 'Submission', mediaType: json }, success: made },
  addSubmissionLoan: { body: { schema: 'SubmissionLoan', mediaType: json }, success: made },
  addTransactions: {
    body: { schema: 'Transactions', mediaType: json },
    success: { status: '200', schema: 'OpenObject' },
  },
  getLoanBalances: {
    success: { status: '200', schema: 'OpenObject' },
    query: [{ name: 'dealId', description: 'Only the loans of this deal. The sandbox’s own choice.' }],
  },
  health: { success: { status: '200', schema: 'OpenObject' } },
};

const kindOfSchema: Readonly<Record<string, RecordKindName>> = {
  Lead: 'leads',
  Deal: 'deals',
  Note: 'notes',
  Company: 'companies',
  CompanyUpdate: 'company-updates',
  Submission: 'submissions',
  SubmissionLoan: 'submission-loans',
  Transaction: 'transactions',
};

/** @param url  the address that the document names as its server */
export function openApiDocument(url: string): OpenApiDocument {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const [name, { method, path }] of Object.entries(endpoints) as [
    EndpointName,
    (typeof endpoints)[EndpointName],
  ][]) {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(name) };
  }
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
      responses: {
        Problem: {
          description: 'What is wrong, field by field.',
          content: { 'application/problem+json': { schema: refTo('Problem') } },
        },
      },
      schemas: componentSchemas(),
    },
  };
}

function operationOf(name: EndpointName): OpenApiOperation {
  const { path, purpose, section } = endpoints[name];
  const { body, success, query = [] } = words[name];
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const queryParameters = query.map((parameter) => ({ ...parameter, in: 'query', schema: { type: 'string' } }));
  const parameters = [...pathParameters, ...queryParameters];
  const problems = [
    ...(body === undefined ? [] : ['400', '413', '415', '422']),
    ...(pathParameters.length + queryParameters.length === 0 ? [] : ['404']),
    '401',
    '429',
  ].sort();
  return {
    operationId: name,
    summary: purpose,
    description: `Service interface ${section}.`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { [body.mediaType]: { schema: refTo(body.schema) } } } }),
    responses: {
      [success.status]: { description: 'Done.', content: { [json]: { schema: refTo(success.schema) } } },
      ...Object.fromEntries(problems.map((status) => [status, { $ref: '#/components/responses/Problem' }])),
    },
  };
}

function componentSchemas(): Record<string, JsonSchema> {
  const kinds = Object.entries(kindOfSchema).map(([schema, kind]) => [schema, bodySchema(kind)]);
  const { attachmentParts } = assumedContract;
  const { $schema: _dialect, ...createResult } = z.toJSONSchema(createResultSchema);
  return {
    ...(Object.fromEntries(kinds) as Record<string, JsonSchema>),
    Attachment: {
      type: 'object',
      required: [attachmentParts.dealId, attachmentParts.file],
      properties: {
        [attachmentParts.dealId]: { type: 'string', examples: ['deal_000001'] },
        [attachmentParts.file]: { type: 'string', contentMediaType: 'application/octet-stream' },
      },
    },
    Transactions: {
      type: 'object',
      required: [envelope],
      properties: {
        [envelope]: { type: 'array', minItems: 1, maxItems: mostTransactions, items: refTo('Transaction') },
      },
    },
    CreateResult: createResult as JsonSchema,
    OpenObject: {
      type: 'object',
      description: 'The interface does not define this shape; the sandbox’s own is shown by calling it.',
    },
    Problem: problemSchema,
  };
}

const problemSchema: JsonSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'errors'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'rule', 'message'],
        properties: { path: { type: 'string' }, rule: { type: 'string' }, message: { type: 'string' }, value: {} },
      },
    },
  },
};

function refTo(schema: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${schema}` };
}
