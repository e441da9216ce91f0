/** Add a deal and Get a deal (service interface 2.1, 4.2, 4.3). */
import { recordKind } from '../../contract/record-kinds.ts';
import { jsonAnswer } from '../problem.ts';
import { idOf } from '../record-ids.ts';
import type { Tables } from '../store/tables.ts';
import { checked } from '../validation.ts';
import { dealView } from '../views/deal-view.ts';
import { createResult, type JsonEndpoint, type ReadEndpoint, status } from './endpoint.ts';
import { recordAt, recordNamed } from './known-records.ts';

const { body: dealBody } = recordKind('deals');

/** By the sandbox's own choice, the company that a deal brings along is a merchant. */
const contactTypesOfDealCompany = ['Merchant'];

/** The parts of a checked deal that the sandbox itself looks at. */
interface DealParts {
  readonly company: { readonly id?: string; readonly name?: string; readonly dba?: string };
  readonly owner1: { readonly firstName?: string; readonly lastName?: string };
}

export const addDeal: JsonEndpoint = {
  takes: 'json',
  prepare({ body, text }, surroundings) {
    const { company, owner1 } = checked(dealBody, body) as unknown as DealParts;
    const { id: companyId, ...newCompany } = company;
    return {
      content: text,
      run(tables, at) {
        const companyNumber =
          companyId === undefined
            ? tables.addCompany(
                at,
                [company.name, company.dba],
                JSON.stringify({ ...newCompany, contactTypes: contactTypesOfDealCompany }),
              )
            : recordNamed(tables, 'company', 'company.id', companyId);
        const { name, dba } = companyId === undefined ? company : namesOf(tables, companyNumber);
        const search = [name, dba, owner1.firstName, owner1.lastName];
        const number = tables.add('deal', at, search, { company: companyNumber });
        const { success, id, url } = createResult('deal', number, surroundings);
        tables.log('addDeal', id, at, text);
        const result = { success, id, company: { id: idOf('company', companyNumber) }, url };
        return jsonAnswer(status.created, result, { location: `/v1/deal/${id}` });
      },
    };
  },
};

/** A deal of a company that is there is found by the name of that company. */
function namesOf(tables: Tables, number: number): DealParts['company'] {
  return JSON.parse(tables.company(number)?.body ?? '{}') as DealParts['company'];
}

export const getDeal: ReadEndpoint = {
  takes: 'nothing',
  answer({ id }, tables, surroundings) {
    const { number } = recordAt(tables, 'deal', id);
    return jsonAnswer(status.ok, dealView(tables, number, surroundings));
  },
};
