/** How to read cells that are ambiguous by themselves. Set in a mapping for one file, or in a profile for every file. */
import * as z from 'zod';
import { dateOrders } from './date-order.ts';
import { recordKindNames } from './record-kind.ts';

export const formatShape = {
  blanks: z
    .array(z.string().regex(/\S/, 'a blank cell is blank without being named'))
    .optional()
    .describe('What cells of the file say that stand for nothing, to the letter, such as "N/A": they count as blank'),
  dateOrder: z.enum(dateOrders).optional().describe('How to read dates like 03/04/2026'),
  decimals: z
    .enum([',', '.'])
    .optional()
    .describe('What stands in front of the cents of amounts written as text, whatever the cells of a column look like'),
};

export const defaultsSchema = z
  .record(z.string(), z.string())
  .describe('What a field says where its cell is blank, or where it has no column');

/** The formats of a profile. Those of fields are grouped by record kind. */
export const formatsSchema = z.strictObject({
  ...formatShape,
  ignoreColumns: z
    .array(z.string().min(1))
    .optional()
    .describe('Headers of columns that are left out of every file, as --ignore-columns says it of one'),
  defaults: z.partialRecord(z.enum(recordKindNames), defaultsSchema).default({}),
  values: z
    .partialRecord(z.enum(recordKindNames), z.record(z.string(), z.record(z.string(), z.string())))
    .default({})
    .describe('By field, what a cell says and what the field is to say; "" leaves it blank'),
});

export type Formats = z.output<typeof formatsSchema>;
