/** A mapping: how to read a foreign file. One readable JSON file, which `dealsheet map` drafts and a person completes. */
import * as z from 'zod';
import { checkLevelsSchema } from '../../contract/check-codes.ts';
import { defaultsSchema, formatShape } from '../../contract/profile-parts.ts';
import { recordKindNames, refScopes } from '../../contract/record-kind.ts';

const fieldName = z
  .string()
  .min(1)
  .describe('A field by its label or path ("Company name", "company.name"), or a path in braces ("{terms.rate}")');

const valueMap = z
  .record(z.string(), z.string().nullable())
  .describe(
    'The text of a cell and the value to use for it: { "S-Corp": "S Corporation" }; "" leaves the field blank; null marks an open value, which you must decide before a load',
  );

const columnRule = z
  .strictObject({
    field: fieldName
      .nullable()
      .optional()
      .describe('The field; null marks an open column, which you must decide before a load'),
    split: z
      .strictObject({
        fields: z.array(fieldName).min(2).describe('The fields in the order of the parts'),
        at: z
          .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
          .describe(
            'The separator of the parts, or one separator for each gap; surplus parts stay with the first field',
          ),
      })
      .refine(
        ({ fields, at }) => typeof at === 'string' || at.length === fields.length - 1,
        'give one separator fewer than fields',
      )
      .optional(),
    values: valueMap.optional(),
    suggestions: z
      .array(z.strictObject({ field: z.string(), score: z.number().min(0).max(1) }))
      .optional()
      .describe('The nearest fields that the draft found; a load does not use them'),
    samples: z.array(z.string()).optional().describe('Examples from the column; a load does not use them'),
  })
  .refine(({ field, split }) => split === undefined || field == null, 'it is both split and a field of its own');

const sheetMapping = z.strictObject({
  sheet: z
    .string()
    .min(1)
    .optional()
    .describe('The sheet, of this month or any other; * matches anything; without a name, the only sheet of the file'),
  kind: z.enum(recordKindNames).describe('What the rows are'),
  headerRow: z
    .int()
    .min(1)
    .optional()
    .describe('The row of the headers, if rows above look like headers too; rows above it are skipped'),
  columns: z
    .record(z.string(), z.union([z.null(), fieldName, columnRule]))
    .describe('Each header with its field, or null to leave the column out on purpose'),
  joins: z
    .array(
      z.strictObject({
        field: fieldName,
        columns: z.array(z.string().min(1)).min(2, 'name two or more columns; those of "minus" are among them'),
        with: z.string().describe('The text between the parts; blank parts are skipped'),
        minus: z
          .array(z.string().min(1))
          .optional()
          .describe('The columns whose amounts change their sign, such as Debit'),
      }),
    )
    .optional()
    .describe('Fields that are joined from several columns'),
  constants: z.record(z.string(), z.string()).optional().describe('Fields with the same value in every row'),
  defaults: defaultsSchema.optional(),
  ...formatShape,
});

export const mappingSchema = z
  .strictObject({
    $schema: z.string().optional(),
    sheets: z.array(sheetMapping).min(1),
    ignoreSheets: z
      .array(z.string().min(1))
      .optional()
      .describe('Sheets that hold nothing to load, and are left out on purpose'),
    refScope: z.enum(refScopes).optional().describe('"file": Refs link the rows of one file only'),
    checks: checkLevelsSchema
      .optional()
      .describe('The levels of checks for this file, such as { "total-row": "warning" }'),
    encoding: z.string().optional().describe('The character set of a CSV file'),
    delimiter: z.string().optional().describe('The delimiter of a CSV file'),
  })
  .meta({ title: 'Mapping', description: 'How dealsheet reads a file that is not made from its template' });

export type Mapping = z.output<typeof mappingSchema>;
export type SheetMappingRules = Mapping['sheets'][number];
export type ColumnRule = z.output<typeof columnRule>;
