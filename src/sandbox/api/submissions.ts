/** Add a submission (service interface 4.9). The shape is not shown: every field is assumed and none is required. */
import { recordKind } from '../../contract/record-kinds.ts';
import { idOf } from '../record-ids.ts';
import { checked } from '../validation.ts';
import { createdAnswer, type JsonEndpoint } from './endpoint.ts';
import { recordNamedIfAny } from './known-records.ts';

const { body: submissionBody } = recordKind('submissions');

export const addSubmission: JsonEndpoint = {
  takes: 'json',
  prepare({ body, text }, surroundings) {
    const { dealId, companyId, status, note } = checked(submissionBody, body);
    return {
      content: text,
      run(tables, at) {
        const deal = recordNamedIfAny(tables, 'deal', 'dealId', dealId);
        const company = recordNamedIfAny(tables, 'company', 'companyId', companyId);
        const number = tables.add('submission', at, [status, note], { deal, company });
        tables.log('addSubmission', idOf('submission', number), at, text);
        return createdAnswer('submission', number, surroundings);
      },
    };
  },
};
