/** A company as Get a company answers it (service interface 2.4, 4.7): its present fields at the top level. */
import { idOf, pagePathOf } from '../record-ids.ts';
import type { Tables } from '../store/tables.ts';
import type { Surroundings } from '../surroundings.ts';
import { isoTime } from '../time.ts';

export function companyView(tables: Tables, number: number, { publicUrl }: Surroundings) {
  const record = tables.company(number);
  if (record === undefined) throw new Error(`There is no company ${number}.`);
  return {
    ...(JSON.parse(record.body) as Record<string, unknown>),
    id: idOf('company', number),
    url: `${publicUrl}${pagePathOf('company', number)}`,
    createdAt: isoTime(record.at),
    updatedAt: isoTime(record.changed),
  };
}
