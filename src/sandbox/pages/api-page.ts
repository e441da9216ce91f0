/** The interface as a page: every endpoint, and the fields of its body, made from the OpenAPI document. */
import { html } from 'hono/html';
import { endpoints } from '../../contract/endpoints.ts';
import { type OpenApiOperation, openApiDocument } from '../openapi/document.ts';
import type { JsonSchema } from '../openapi/schemas.ts';
import { type Piece, page, table } from './layout.ts';
import { plainText } from './values.ts';

const document = openApiDocument('/');

export function apiPage(): Piece {
  const operations = Object.values(endpoints).map(({ method, path }) => {
    const operation = document.paths[path]?.[method.toLowerCase()];
    return operation === undefined ? '' : operationSection(method, path, operation);
  });
  const content = html`<p class="lead">${document.info.description} The same as a document for programs:
<a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>${operations}`;
  return page({ title: 'Interface', kind: null, content });
}

function operationSection(method: string, path: string, operation: OpenApiOperation): Piece {
  const [mediaType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  return html`<section><h2 id="${operation.operationId}">${operation.summary} <code>${method} ${path}</code></h2>
<p class="quiet">${operation.description} ${mediaType === undefined ? 'No body.' : `Body: ${mediaType}.`}</p>
${body === undefined ? '' : fieldTable(operation.summary, resolved(body.schema as JsonSchema))}</section>`;
}

function fieldTable(caption: string, schema: JsonSchema): Piece {
  const heads = [{ label: 'Field' }, { label: 'Type' }, { label: 'Rules' }, { label: 'About' }, { label: 'Example' }];
  return table(`Fields of the body of ${caption}`, heads, rowsOf(schema, ''));
}

function rowsOf(schema: JsonSchema, parent: string): (Piece | string)[][] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const inner = resolved(property as JsonSchema);
    const item = inner.type === 'array' ? resolved((inner.items ?? {}) as JsonSchema) : inner;
    const path = `${parent}${name}${inner.type === 'array' && item.properties !== undefined ? '[]' : ''}`;
    const row = [
      html`<code>${path}</code>${required.has(name) ? html` <b title="required">required</b>` : ''}`,
      typeOf(inner),
      rulesOf(inner),
      plainText(inner.description),
      plainText(inner.examples?.[0]),
    ];
    return item.properties === undefined ? [row] : [row, ...rowsOf(item, `${path}.`)];
  });
}

function typeOf(schema: JsonSchema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map((choice) => typeOf(choice as JsonSchema)).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(resolved((schema.items ?? {}) as JsonSchema))}`;
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  return plainText(schema.type) || (schema.enum === undefined ? 'anything' : 'string');
}

function rulesOf(schema: JsonSchema): string {
  const item = schema.type === 'array' ? (schema.items as JsonSchema | undefined) : undefined;
  const choices = schema.enum ?? item?.enum;
  return [
    choices === undefined ? '' : `One of ${choices.map(plainText).join(', ')}.`,
    schema.minimum === undefined ? '' : `At least ${schema.minimum}.`,
    schema.maxLength === undefined ? '' : `At most ${schema.maxLength} characters.`,
    schema.maxItems === undefined ? '' : `At most ${schema.maxItems}.`,
  ]
    .filter((text) => text !== '')
    .join(' ');
}

function resolved(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (document.components.schemas[name] ?? schema);
}
