/** How to read cells that are ambiguous by themselves. Set in a mapping for one file, or in a profile for every file. */
import * as z from 'zod';
import { dateOrders } from './date-order.ts';
import { recordKindNames } from './record-kind.ts';

export const formatShape = {
  blanks: z
    .array(z.string().regex(/\S/, 'a blank cell always counts as blank: leave "" out'))
    .optional()
    .describe('Texts of cells that count as blank, exactly as in the file, such as "N/A"'),
  dateOrder: z.enum(dateOrders).optional().describe('How to read dates like 03/04/2026'),
  decimals: z
    .enum([',', '.'])
    .optional()
    .describe('The decimal mark of amounts written as text, whatever the other cells of the column show'),
};

export const defaultsSchema = z
  .record(z.string(), z.string())
  .describe('The value of a field whose cell is blank, or that has no column');

/** The formats of a profile. Those of fields are grouped by record kind. */
export const formatsSchema = z.strictObject({
  ...formatShape,
  ignoreColumns: z
    .array(z.string().min(1))
    .optional()
    .describe('Headers of columns to leave out of every file, as --ignore-columns does for one file'),
  defaults: z.partialRecord(z.enum(recordKindNames), defaultsSchema).default({}),
  values: z
    .partialRecord(z.enum(recordKindNames), z.record(z.string(), z.record(z.string(), z.string())))
    .default({})
    .describe('By field, the text of a cell and the value to use for it; "" leaves the field blank'),
});

export type Formats = z.output<typeof formatsSchema>;
