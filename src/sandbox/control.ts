/**
 * What steers the sandbox while it runs, below /sandbox and outside the interface: tokens, conduct, and its log. For the
 * same machine alone: see the guard.
 */
import * as z from 'zod';
import { isDealsheetError } from '../errors.ts';
import { type ApiParts, type SandboxApp, sendAnswer } from './api/api.ts';
import { readJson } from './api/request-body.ts';
import { type ConductSettings, parseLatency } from './conduct.ts';
import { parseFaults } from './faults.ts';
import { type Answer, jsonAnswer, Problem } from './problem.ts';
import { checked } from './validation.ts';

const mostEntries = 10_000;

const conductBody = z.strictObject({
  /** As `--faults` takes them; empty for none. */
  faults: z.string().optional(),
  /** Milliseconds, `50` or `20-80`. */
  latency: z.string().optional(),
  /** Requests a second, or `null` for no limit. */
  rate: z.number().positive().nullable().optional(),
});

const logQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(mostEntries).default(mostEntries),
});

export function mountControl(app: SandboxApp, { store, tokens, conduct }: ApiParts): void {
  app.post('/sandbox/token', (context) =>
    sendAnswer(context, async () => {
      const { token, expiresInSeconds } = await tokens.issue();
      return jsonAnswer(
        201,
        { access_token: token, token_type: 'Bearer', expires_in: expiresInSeconds },
        { 'cache-control': 'no-store' },
      );
    }),
  );
  app.delete('/sandbox/token', (context) =>
    sendAnswer(context, async () => {
      await tokens.revokeAll();
      return jsonAnswer(200, { success: true });
    }),
  );
  app.get('/sandbox/faults', (context) => sendAnswer(context, async () => conductAnswer(conduct.settings)));
  app.post('/sandbox/faults', (context) =>
    sendAnswer(context, async () => {
      const { body } = await readJson(context.env.incoming);
      conduct.change(changesOf(checked(conductBody, body)));
      return conductAnswer(conduct.settings);
    }),
  );
  app.get('/sandbox/accepted', (context) =>
    sendAnswer(context, async () => {
      const { after, limit } = checked(logQuery, context.req.query());
      const accepted = store.tables.accepted(after, limit);
      return jsonAnswer(200, { accepted, next: accepted.length < limit ? null : (accepted.at(-1)?.sequence ?? null) });
    }),
  );
}

function conductAnswer({ faults, latency, ratePerSecond }: ConductSettings): Answer {
  return jsonAnswer(200, { faults, latency, rate: ratePerSecond });
}

function changesOf({ faults, latency, rate }: z.output<typeof conductBody>): Partial<ConductSettings> {
  try {
    return {
      ...(faults === undefined ? {} : { faults: parseFaults(faults) }),
      ...(latency === undefined ? {} : { latency: parseLatency(latency) }),
      ...(rate === undefined ? {} : { ratePerSecond: rate }),
    };
  } catch (error) {
    if (!isDealsheetError(error)) throw error;
    const detail = `${error.message} ${error.remedy}`;
    throw new Problem('invalid-fields', { detail, errors: [{ path: '', rule: 'format', message: detail }] });
  }
}
