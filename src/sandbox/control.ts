/** What steers the sandbox while it runs, below /sandbox and outside the interface: tokens, conditions, and its log. */
import * as z from 'zod';
import { isDealsheetError } from '../errors.ts';
import { withKeyOnly } from './access.ts';
import { type ApiParts, problemOf, type SandboxApp } from './api/api.ts';
import { readBody } from './api/request-body.ts';
import { type ConditionSettings, parseLatency } from './conditions.ts';
import { parseFaults } from './faults.ts';
import { type Answer, fieldError, invalidFields, jsonAnswer, responseOf, valid, validate } from './problem.ts';

const mostEntries = 10_000;

/** `faults` and `latency` as their flags take them, `rate` in requests a second, or `null` for no limit. */
const conditionsBody = z
  .strictObject({
    faults: z.string().transform((text) => parsed('faults', parseFaults, text)),
    latency: z.string().transform((text) => parsed('latency', parseLatency, text)),
    rate: z.number().positive().nullable(),
  })
  .partial();

const logQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(mostEntries).default(mostEntries),
});

/** @param key  what every request has to send */
export function mountControl(app: SandboxApp, { store, tokens, conditions }: ApiParts, key: string): void {
  const send = (work: () => Answer | Promise<Answer>) =>
    Promise.resolve()
      .then(work)
      .catch((error: unknown) => problemOf(error).answer())
      .then(responseOf);
  app.use('/sandbox/*', withKeyOnly(key));
  app.post('/sandbox/token', () =>
    send(async () => {
      const body = { access_token: await tokens.issue(), token_type: 'Bearer', expires_in: tokens.lifetimeSeconds };
      return jsonAnswer(201, body, { 'cache-control': 'no-store' });
    }),
  );
  app.delete('/sandbox/token', () => send(() => tokens.revokeAll().then(() => jsonAnswer(200, { success: true }))));
  app.get('/sandbox/faults', () => send(() => conditionsAnswer(conditions.settings())));
  app.post('/sandbox/faults', ({ env }) =>
    send(async () => {
      const { body } = await readBody(env.incoming, 'json');
      const { rate: ratePerSecond, ...changes } = valid(validate(conditionsBody, body));
      const changed = ratePerSecond === undefined ? changes : { ...changes, ratePerSecond };
      conditions.change(changed as Partial<ConditionSettings>);
      return conditionsAnswer(conditions.settings());
    }),
  );
  app.get('/sandbox/accepted', ({ req }) =>
    send(() => {
      const { after, limit } = valid(validate(logQuery, req.query()));
      const accepted = store.tables.accepted(after, limit);
      return jsonAnswer(200, { accepted, next: accepted.length < limit ? null : (accepted.at(-1)?.sequence ?? null) });
    }),
  );
}

function conditionsAnswer({ faults, latency, ratePerSecond }: ConditionSettings): Answer {
  return jsonAnswer(200, { faults, latency, rate: ratePerSecond });
}

function parsed<Value>(path: string, parse: (text: string) => Value, text: string): Value {
  try {
    return parse(text);
  } catch (error) {
    if (!isDealsheetError(error)) throw error;
    throw invalidFields([fieldError(path, 'format', `${error.message} ${error.remedy}`, undefined)]);
  }
}
