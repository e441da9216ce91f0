import { describe, expect, it } from 'vitest';
import { readRow, warningsOf } from './rows.ts';

const noteOf = (text: string) => warningsOf(readRow('transactions', { 'Deal id': 'd', Description: text })).join(' ');

describe('a text that was read in another character set than it was written in', () => {
  it.each(['cafÃ© LLC', 'MÃ¼ller', 'Joeâ€™s Pizza', 'JosÃ©', 'Nâ€“S', 'A\u00c2\u00a0B', 'MartÃ\u00adnez'])(
    'is sent, and told: %s',
    (text) => {
      expect(noteOf(text)).toBe(
        `Description "${text}" looks as if its letters had been read in the wrong character set, as é is read as Ã©. Check it: it was not changed.`,
      );
    },
  );

  it.each(['café', 'SÃO PAULO', 'Ângela', 'château', 'MAÇÃ', 'Müller', '€5'])(
    'is none with letters of words: %s',
    (text) => {
      expect(noteOf(text)).toBe('');
    },
  );
});
