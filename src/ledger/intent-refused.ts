import type { Intent } from './ledger.ts';

/** What {@link Run.intend} rejects with: nothing of its call was written, and these rows must not be sent. */
export class IntentRefused extends Error {
  override readonly name = 'IntentRefused';
  readonly intents: readonly Intent[];

  constructor(intents: readonly Intent[]) {
    super(`Not sent, because the ledger has them otherwise: ${intents.map(({ sheet, row }) => `${sheet} row ${row}`)}`);
    this.intents = intents;
  }
}
