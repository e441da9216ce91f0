/** What stands below /sandbox, outside the interface: tokens, and the log of what was accepted. */
import * as z from 'zod';
import { withKeyOnly } from './access.ts';
import { type ApiParts, problemOf, type SandboxApp } from './api/api.ts';
import { type Answer, jsonAnswer, responseOf, valid, validate } from './problem.ts';

const mostEntries = 10_000;

const logQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(mostEntries).default(mostEntries),
});

/** @param key  what every request has to send */
export function mountControl(app: SandboxApp, { store, tokens }: ApiParts, key: string): void {
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
  app.get('/sandbox/accepted', ({ req }) =>
    send(() => {
      const { after, limit } = valid(validate(logQuery, req.query()));
      const accepted = store.tables.accepted(after, limit);
      return jsonAnswer(200, { accepted, next: accepted.length < limit ? null : (accepted.at(-1)?.sequence ?? null) });
    }),
  );
}
