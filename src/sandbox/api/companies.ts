/** Add a company, Get a company, Update a company (service interface 2.4, 4.6 to 4.8). */
import * as z from 'zod';
import { funderFieldsCheck } from '../../contract/kinds/company-fields.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { jsonAnswer } from '../problem.ts';
import { checked } from '../validation.ts';
import { companyView } from '../views/company-view.ts';
import { createResult, type JsonEndpoint, type ReadEndpoint, status } from './endpoint.ts';
import { recordAt } from './known-records.ts';

const { body: companyBody } = recordKind('companies');
const { body: updateBody } = recordKind('company-updates');

/** Looked at once a change is in: the company as a whole may have Funder fields only when it is a Funder (2.4). */
const wholeCompany = z.looseObject({}).check(funderFieldsCheck);

export const addCompany: JsonEndpoint = {
  takes: 'json',
  prepare({ body, text }, surroundings) {
    const company = checked(companyBody, body);
    return {
      content: text,
      run(tables, at) {
        const number = tables.addCompany(at, searchedIn(company), JSON.stringify(company));
        const result = createResult('company', number, surroundings);
        tables.log('addCompany', result.id, at, text);
        return jsonAnswer(status.created, result, { location: `/v1/company/${result.id}` });
      },
    };
  },
};

export const getCompany: ReadEndpoint = {
  takes: 'nothing',
  answer({ id }, tables, surroundings) {
    const { number } = recordAt(tables, 'company', id);
    return jsonAnswer(status.ok, companyView(tables, number, surroundings));
  },
};

export const updateCompany: JsonEndpoint = {
  takes: 'json',
  prepare({ id, body, text }, surroundings) {
    const changes = checked(updateBody, body);
    return {
      content: `${id}\n${text}`,
      run(tables, at) {
        const { number, body: before } = recordAt(tables, 'company', id);
        const company = { ...(JSON.parse(before) as object), ...changes };
        const kept = Object.fromEntries(Object.entries(company).filter(([, value]) => value !== null));
        checked(wholeCompany, kept);
        tables.changeCompany(number, at, searchedIn(kept), JSON.stringify(kept));
        const result = createResult('company', number, surroundings);
        tables.log('updateCompany', result.id, at, text);
        return jsonAnswer(status.ok, result);
      },
    };
  },
};

function searchedIn(company: Readonly<Record<string, unknown>>): unknown[] {
  return [company.name, company.dba, company.ein];
}
