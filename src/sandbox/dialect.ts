/**
 * The one place through which every request body goes in and every answer goes out, so that the sandbox can speak as another
 * service does. It speaks as the interface says.
 */
import type { EndpointName } from '../contract/endpoints.ts';
import type { Answer } from './problem.ts';

/** A body as it came, JSON or a form, in the names of the contract. */
export function fromWire(_endpoint: EndpointName, body: unknown): unknown {
  return body;
}

/** An answer in the names and the shape of the service, be it a result, a list or a problem. */
export function toWire(_endpoint: EndpointName, answer: Answer): Answer {
  return answer;
}
