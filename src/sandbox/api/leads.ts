/** Add a lead (service interface 4.1). The shape is not shown: a lead is a deal without a stage in which nothing is required. */
import { recordKind } from '../../contract/record-kinds.ts';
import { idOf } from '../record-ids.ts';
import { checked } from '../validation.ts';
import { createdAnswer, type JsonEndpoint } from './endpoint.ts';

const { body: leadBody } = recordKind('leads');

interface LeadParts {
  readonly company?: { readonly name?: string; readonly dba?: string };
  readonly owner1?: { readonly firstName?: string; readonly lastName?: string };
}

export const addLead: JsonEndpoint = {
  takes: 'json',
  prepare({ body, text }, surroundings) {
    const { company, owner1 } = checked(leadBody, body) as LeadParts;
    return {
      content: text,
      run(tables, at) {
        const search = [company?.name, company?.dba, owner1?.firstName, owner1?.lastName];
        const number = tables.add('lead', at, search, {});
        tables.log('addLead', idOf('lead', number), at, text);
        return createdAnswer('lead', number, surroundings);
      },
    };
  },
};
