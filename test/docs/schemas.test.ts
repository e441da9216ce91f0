/** The JSON Schemas by which an editor helps with the two files that a person writes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { mappingSchema } from '../../src/mapping/mapping-file/mapping.ts';
import { configurationSchema } from '../../src/settings/configuration.ts';
import { root } from '../builders/workplace.ts';

const schemas = [
  ['mapping.schema.json', mappingSchema],
  ['dealsheet.config.schema.json', configurationSchema],
] as const;

describe('a JSON Schema for editors', () => {
  it.each(schemas)('is what the code itself checks by (%s)', (name, schema) => {
    const path = join(root, 'templates', name);
    const made = `${JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), null, 2)}\n`;
    if (process.env.DEALSHEET_UPDATE === '1') writeFileSync(path, made);
    expect(readFileSync(path, 'utf8')).toBe(made);
  });
});
