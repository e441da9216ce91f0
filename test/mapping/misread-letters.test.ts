import { describe, expect, it } from 'vitest';
import { readRow, warningsOf } from './rows.ts';

const noteOf = (text: string) => warningsOf(readRow('transactions', { 'Deal id': 'd', Description: text })).join(' ');

describe('a text that was read in another character set than it was written in', () => {
  it.each([
    ...['cafÃ© LLC', 'MÃ¼ller', 'Joeâ€™s Pizza', 'JosÃ©', 'Nâ€“S', 'A\u00c2\u00a0B', 'MartÃ\u00adnez'],
    ...['Caf√©', 'M√ºller', 'Joe‚Äôs', 'A¬†B', 'Caf├®', 'M├╝ller', 'L├│pez', 'JoeÔÇÖs', 'JoeΓÇÖs', 'CafĂ©', 'MĂĽller'],
    ...['LĂłpez', 'Harbor &amp; Sons', 'Joe&#39;s', 'Joe&#x27;s', '10&nbsp;years'],
  ])('is sent, and told: %s', (text) => {
    expect(noteOf(text)).toBe(
      `Description "${text}" looks as if a program had changed its letters, as é becomes Ã©, or & becomes &amp;. Check it: it was not changed.`,
    );
  });

  it.each([
    ...['café', 'SÃO PAULO', 'Ângela', 'château', 'MAÇÃ', 'Müller', '€5', 'CÔTE', 'LĂŞA'],
    ...['√ paid', '├─ a', '‚Ägypten‘', 'Smith & Sons; Kite', 'AT&T; B&B', '?a=1&b=2'],
  ])('is none with letters of words: %s', (text) => {
    expect(noteOf(text)).toBe('');
  });
});
