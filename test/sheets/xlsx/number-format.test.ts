import { describe, expect, it } from 'vitest';
import { lookOfCode } from '../../../src/sheets/xlsx/number-format.ts';
import { dateOfSerial } from '../../../src/sheets/xlsx/serial-date.ts';

describe('what a number format makes of a number', () => {
  it.each([
    'yyyy\\-mm\\-dd',
    '[$-F800]dddd\\, mmmm dd',
    '[$-409]h:mm AM/PM',
    'd/m/yy;@',
    'yyyy"年"m"月"',
    '[~buddhist]dd/mm/yyyy',
    '[Red]m/d',
    '[ENG][$-409]d mmm',
  ])('is a date: %s', (code) => {
    expect(lookOfCode(code)).toEqual({ kind: 'date' });
  });

  it.each([
    'General',
    '0.00E+00',
    '[h]:mm:ss',
    '[mm]:ss',
    '#,##0.00 "days"',
    '[DBNum1][$-804]General',
    '[DBNum2]0',
    '[Magenta]0.0',
    '[>=100]0;[Red]-0',
    '0\\d',
    '_-* #,##0.00\\ [$USD]_-',
    '@',
    '# ?/?',
  ])('is nothing special: %s', (code) => {
    expect(lookOfCode(code)).toEqual({ kind: 'plain' });
  });

  it('is a percentage only with a sign that counts', () => {
    expect(lookOfCode('0.0%')).toEqual({ kind: 'percent' });
    expect(lookOfCode('[Blue]0%;[Red]-0%')).toEqual({ kind: 'percent' });
    expect(lookOfCode('0"%"')).toEqual({ kind: 'plain' });
    expect(lookOfCode('0\\%')).toEqual({ kind: 'plain' });
  });
});

describe('a serial number as a day', () => {
  it('ends with the year 9999 in both date systems', () => {
    expect(dateOfSerial(2_958_465, false)).toMatchObject({ day: '9999-12-31' });
    expect(dateOfSerial(2_957_003, true)).toMatchObject({ day: '9999-12-31' });
    expect(dateOfSerial(2_958_466, false)).toBeNull();
    expect(dateOfSerial(2_957_004, true)).toBeNull();
  });

  it('keeps the last moments of a day in their day', () => {
    const lastSecond = { kind: 'date', day: '2026-06-30', time: '23:59:59' };
    expect(dateOfSerial(46203.99998, false)).toEqual({ ...lastSecond, time: '23:59:58' });
    expect(dateOfSerial(46203.999999, false)).toEqual(lastSecond);
    expect(dateOfSerial(46203.99999998843, false)).toEqual(lastSecond);
    expect(dateOfSerial(46203.9999999965, false)).toEqual(lastSecond);
    expect(dateOfSerial(44741.99999998843, true)).toEqual(lastSecond);
  });

  it('is the next day where less than a tenth of a millisecond is left, as Excel shows it', () => {
    const nextDay = { kind: 'date', day: '2026-07-01', time: null };
    expect(dateOfSerial(46203.9999999999, false)).toEqual(nextDay);
    expect(dateOfSerial(46203.99999999999, false)).toEqual(nextDay);
    expect(dateOfSerial(46204.00000000001, false)).toEqual(nextDay);
  });
});
