/** The JSON Schemas of the bodies, made from the record kinds' own schemas with the facts of their fields. */
import * as z from 'zod';
import { type FieldFacts, factsRegistry } from '../../contract/field-facts.ts';
import { type contactTypes, funderFields } from '../../contract/kinds/company-fields.ts';
import type { RecordKindName } from '../../contract/record-kind.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { largestAmount } from '../money.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** One or more e-mail addresses with commas between them, as near as a pattern can say it. */
const emailListPattern = '^[^@\\s,]+@[^@\\s,]+\\.[^@\\s,]+( *, *[^@\\s,]+@[^@\\s,]+\\.[^@\\s,]+)*$';

/** The type of company that Funder fields are for (2.4). */
const funder: (typeof contactTypes)[number] = 'Funder';

/** The schema of a kind's body as it is sent. */
export function bodySchema(name: RecordKindName): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(recordKind(name).body, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const facts = zodSchema instanceof z.ZodType ? factsRegistry.get(zodSchema) : undefined;
      if (facts?.type === 'field') Object.assign(jsonSchema, describedBy(facts, jsonSchema));
      if (facts?.type === 'group' && facts.label !== '') jsonSchema.title = facts.label;
    },
  });
  return withSpokenRules(name, schema as JsonSchema);
}

function describedBy(facts: FieldFacts, schema: JsonSchema): JsonSchema {
  const origin =
    facts.source === 'documented'
      ? `Service interface ${facts.section}.`
      : `Assumed: the service interface does not show it (${facts.section}).`;
  const description = [facts.rule, origin].filter((text) => text !== undefined).join(' ');
  const title = facts.label === '' ? {} : { title: facts.label };
  return { ...title, description, examples: [exampleOf(facts, schema)] };
}

/** The example of a cell as the value of a body. */
function exampleOf({ example }: FieldFacts, schema: JsonSchema): unknown {
  if (schema.type === 'array') return example.split(/[;,]/).map((text) => text.trim());
  return schema.type === 'number' ? Number(example) : example;
}

/** Rules that the zod schemas hold as code, said in the schema's own words. */
function withSpokenRules(name: RecordKindName, schema: JsonSchema): JsonSchema {
  const properties = schema.properties as Record<string, JsonSchema>;
  if (name === 'deals') {
    for (const part of ['company', 'owner1']) Object.assign(properties[part] ?? {}, { minProperties: 1 });
  }
  if (name === 'submission-loans' || name === 'transactions') {
    Object.assign(properties.amount ?? {}, { minimum: -largestAmount, maximum: largestAmount });
  }
  if (name !== 'companies' && name !== 'company-updates') return schema;
  const submissionEmail = properties.submissionEmail;
  const text = submissionEmail?.anyOf?.find((choice) => typeof choice === 'object' && choice.type === 'string');
  Object.assign(text ?? submissionEmail ?? {}, { pattern: emailListPattern });
  const mayBeFunder = { properties: { contactTypes: { contains: { const: funder } } } };
  const none = name === 'companies' ? false : { type: 'null' };
  const hasNoFunderFields = { properties: Object.fromEntries(funderFields.map((field) => [field, none])) };
  return { ...schema, anyOf: [mayBeFunder, hasNoFunderFields] } as JsonSchema;
}
