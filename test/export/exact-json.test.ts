import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DealsheetError } from '../../src/errors.ts';
import { ExactNumber, exactText, JsonReader, parseExactly } from '../../src/export/exact-json.ts';

/** The same text cut into pieces of a length. */
function inPieces(text: string, length: number): JsonReader {
  const starts = Array.from({ length: Math.ceil(text.length / length) }, (_, piece) => piece * length);
  return new JsonReader(starts.map((from) => text.slice(from, from + length)));
}

describe('JSON read exactly', () => {
  it('keeps the digits of numbers as they were written', () => {
    for (const digits of ['9007199254740.93', '12345678901234567890', '0.10', '-0.0', '1e400', '1.50E+3']) {
      const value = parseExactly(` ${digits} `);
      expect(value instanceof ExactNumber && value.digits).toBe(digits);
    }
  });

  it('says the same as JSON.parse, wherever the pieces are cut', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), (value, length) => {
        const text = JSON.stringify(value, null, 1);
        const reader = inPieces(text, length);
        const read = reader.value();
        reader.end();
        expect(JSON.parse(exactText(read))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('passes over a value, wherever the pieces are cut', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), (value, length) => {
        const reader = inPieces(`[${JSON.stringify(value)},"after"]`, length);
        const found: unknown[] = [];
        for (const index of reader.items()) {
          if (index === 0) reader.skip();
          else found.push(reader.value());
        }
        expect(found).toEqual(['after']);
      }),
    );
  });

  it('keeps the order of members, and takes any name for a name', () => {
    const text = '{"b":1,"10":2,"2":3,"__proto__":{"x":4},"constructor":5}';
    expect(exactText(parseExactly(text))).toBe(text);
  });

  it.each([
    ...['', '[', '{"a":1', '{"a" 1}', '[1,]', '{a:1}', "['a']", '"abc', '"\\x"', '01', '1.', '-', '+1', 'tru'],
    ...['NaN', '[1] 2', '[1 2]'],
  ])('refuses what is no JSON: %s', (text) => {
    expect(() => parseExactly(text)).toThrow(DealsheetError);
  });

  it('refuses what is nested without end', () => {
    expect(() => parseExactly('['.repeat(100_000))).toThrow(DealsheetError);
  });
});
