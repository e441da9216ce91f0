/** Check API health (service interface 4.13; no shape is shown). */
import { jsonAnswer } from '../problem.ts';
import { type ReadEndpoint, status } from './endpoint.ts';

export const health: ReadEndpoint = {
  takes: 'nothing',
  answer: (_call, tables) =>
    jsonAnswer(status.ok, { success: true, status: 'ok', service: 'Dealsheet sandbox', deals: tables.count('deal') }),
};
