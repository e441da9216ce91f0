/** The documented result of Add a deal and Add a company (service interface 2.6). */
import * as z from 'zod';

export const createResultSchema = z.object({
  success: z.boolean(),
  id: z.string(),
  company: z.object({ id: z.string() }).optional(),
  url: z.string(),
});
