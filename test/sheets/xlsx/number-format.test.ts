import { describe, expect, it } from 'vitest';
import type { FormatAddition } from '../../../src/sheets/cell.ts';
import { builtInLook, lookOfCode } from '../../../src/sheets/xlsx/number-format.ts';
import { dateOfSerial, durationOfSerial } from '../../../src/sheets/xlsx/serial-date.ts';
import { shownNumber } from '../../../src/sheets/xlsx/shown-number.ts';

describe('what a number format makes of a number', () => {
  it.each([
    'yyyy\\-mm\\-dd',
    '[$-F800]dddd\\, mmmm dd',
    'd/m/yy;@',
    '[~buddhist]dd/mm/yyyy',
    '[Red]m/d',
    '[ENG][$-409]d mmm',
  ])('is a date: %s', (code) => {
    expect(lookOfCode(code)).toEqual({ kind: 'date' });
  });

  it.each([
    'General',
    '[DBNum1][$-804]General',
    '[DBNum2]0',
    '[Magenta]0.0',
    '[>=100]0;[Red]-0',
    '"NOK "#,##0.00',
    '#,##0 "CHF"',
    '"US$"#,##0',
    '_(* #,##0_);_(* (#,##0);_(* "-"??_)',
    '0"-"',
    '#.##0,00',
    '#,##0.00_)',
    '_-* #,##0.00\\ [$USD]_-',
    '@',
  ])('is nothing special: %s', (code) => {
    expect(lookOfCode(code)).toEqual({ kind: 'plain' });
  });

  it.each([
    ['yyyy', 'no day'],
    ['mmm\\-yy', 'no day'],
    ['yyyy"年"m"月"', 'no day'],
    ['[$-409]mmmm', 'no day'],
    ['dddd', 'no day'],
    ['h:mm', 'time alone'],
    ['[$-409]h:mm AM/PM', 'time alone'],
    ['h:mm:ss;@', 'time alone'],
    ['mm:ss', 'time alone'],
  ])('is a date without its day: %s', (code, shows) => {
    expect(lookOfCode(code)).toEqual({ kind: 'date', shows });
  });

  it.each([
    ['[h]:mm:ss', 'h', 's'],
    ['[hh]:mm', 'h', 'm'],
    ['[mm]:ss', 'm', 's'],
    ['[h]', 'h', 'h'],
  ])('is a duration: %s', (code, first, last) => {
    expect(lookOfCode(code)).toEqual({ kind: 'duration', first, last });
  });

  it.each([
    ['0.00E+00', 'scientific'],
    ['##0.0E+0', 'scientific'],
    ['# ?/?', 'fraction'],
    ['# ??/16', 'fraction'],
  ])('is a form that programs make of a text: %s', (code, kind) => {
    expect(lookOfCode(code)).toEqual({ kind });
  });

  it.each([
    [11, { kind: 'scientific' }],
    [12, { kind: 'fraction' }],
    [46, { kind: 'duration', first: 'h', last: 's' }],
    [48, { kind: 'scientific' }],
  ])('is known by its number alone where it needs no code: %d', (id, look) => {
    expect(builtInLook(id)).toEqual(look);
  });

  it('is a percentage only with a sign that counts', () => {
    expect(lookOfCode('0.0%')).toEqual({ kind: 'percent' });
    expect(lookOfCode('[Blue]0%;[Red]-0%')).toEqual({ kind: 'percent' });
    expect(lookOfCode('0"%"')).toEqual({ kind: 'plain' });
    expect(lookOfCode('0\\%')).toEqual({ kind: 'plain' });
  });
});

describe('a number in a format with words', () => {
  const shownBy = (code: string, value: number) => {
    const look = lookOfCode(code);
    return look.kind === 'sections' ? shownNumber(value, look.sections) : look.kind;
  };
  const shown = (text: string, adds?: FormatAddition) => (adds === undefined ? { shown: text } : { shown: text, adds });
  const words = (text: string, said: string) => shown(text, { kind: 'words', words: said });
  const scale = (text: string, said = '') => shown(text, { kind: 'scale', words: said });

  it.each([
    ['"INV-"0000', 12, words('INV-0012', 'INV-')],
    ['"INV-"0000', 123456, words('INV-123456', 'INV-')],
    ['"D-"00-00', 312, words('D-03-12', 'D-')],
    ['\\D\\-000', 3, words('D-003', 'D-')],
    ['#,##0.00" DR"', 1234567.891, words('1,234,567.89 DR', 'DR')],
    ['#,##0.00" DR";#,##0.00" CR"', -1250, words('1,250.00 CR', 'CR')],
    ['#,##0.00" DR"', -1.005, words('-1.01 DR', 'DR')],
    ['[Red]"NOK "0.##" CR"', 1250.5, words('NOK 1250.5 CR', 'CR')],
    ['General" CR"', 0.1 + 0.2, words('0.3 CR', 'CR')],
    ['#,##0.00 "days"', 0.5, words('0.50 days', 'days')],
    ['0\\d', 5, words('5d', 'd')],
    ['#" items"', 0, words('items', 'items')],
    ['".x".00', 12.5, words('.x12.50', '.x')],
    ['0;-0;"nil"', 0, words('nil', 'nil')],
    ['0"k"', 12, words('12k', 'k')],
    ['0.0,,"M"', 1_250_000, scale('1.3M', 'M')],
    ['0,.00', 1250, scale('1.25')],
    ['#,##0,', 1_234_567, scale('1,235')],
    ['#,##0.0,', 1_234_567, scale('1,234.6')],
    ['0000_)', 12, shown('0012')],
    ['[>=1000000]0.0,,"M";[>=1000]0,"k";0', 2_500_000, scale('2.5M', 'M')],
    ['[>=1000000]0.0,,"M";[>=1000]0,"k";0', 2500, scale('3k', 'k')],
    ['0.00E+00" DR"', 1250, words('1250', 'DR')],
    ['"#"0', 12, shown('#12')],
    ['\\#00000', 12, shown('#00012')],
    ['(000) 000-0000', 5_185_550_142, shown('(518) 555-0142')],
  ])('is shown with them: %s of %d', (code, value, expected) => {
    expect(shownBy(code, value)).toEqual(expected);
  });

  it.each([
    ['0"."00', 125_050, '1250.50'],
    ['0\\.00', 125_050, '1250.50'],
    ['$#","##0"."00', 125_050, '$1,250.50'],
    ['#\\.##0\\,00', 125_050, '1.250,50'],
    ['0"000"', 12, '12000'],
    ['0\\0\\0', 12, '1200'],
    ['#,##0",000"', 1250, '1,250,000'],
    ['"0."00', 5, '0.05'],
    ['"1"000', 5, '1005'],
    ['##\\,##\\,##', 125_050, '12,50,50'],
  ])(
    'is shown in another size where the format has digits or a decimal mark of its own: %s of %d',
    (code, value, text) => {
      expect(shownBy(code, value)).toEqual(scale(text));
    },
  );

  it.each([
    ['#"."##0', 1250],
    ['#\\,###', 1250],
    ['#,##0".00"', 1250],
    ['#,##0",-"', 1250],
    ['#,##0".-"', 1250],
    ['0\\.', 1250],
    ['[>=10000000]##\\,##\\,##\\,##0;[>=100000]##\\,##\\,##0;##,##0', 12_345_678],
    ['[>=10000000]##\\,##\\,##\\,##0.00;[>=100000]"\u20b9"##\\,##\\,##0.00;##,##0.00', 1_250_000],
  ])('is of no other size where that shows the same number: %s', (code, value) => {
    expect(shownBy(code, value)).toSatisfy((found) => found === 'plain' || found.adds === undefined);
  });

  it.each([
    [';;;', 77],
    ['0;-0;;@', 0],
    ['0.00;;', -5],
    ['#,##0_);(#,##0);_(', 0],
  ])('is seen nowhere: %s of %d', (code, value) => {
    expect(shownBy(code, value)).toEqual({ adds: { kind: 'unseen' } });
  });

  it('is seen in another section of such a format, and by a dash', () => {
    expect(shownBy('0;-0;;@', 5)).toEqual({});
    expect(lookOfCode('0;-0;"-"')).toEqual({ kind: 'plain' });
  });

  it('is no other where a zero of the format stands in front', () => {
    expect(shownBy('"0"00', 5)).toEqual(shown('005'));
  });

  it('is a number like any other in a section without them', () => {
    expect(shownBy('#,##0.00;#,##0.00" CR"', 1250)).toEqual({});
    expect(shownBy('[>=1000]0,"k";0', 999)).toEqual({});
    expect(shownBy('[<>5]0"x";0', 5)).toEqual({});
    expect(shownBy('0;-0;"nil"', 5)).toEqual({});
  });
});

describe('a number in a format with another sign', () => {
  const signOf = (code: string, value: number) => {
    const look = lookOfCode(code);
    if (look.kind !== 'sections') return null;
    const { shown, adds } = shownNumber(value, look.sections);
    expect(shown).toBeUndefined();
    return adds?.kind === 'sign' ? adds.shown : null;
  };

  it.each([
    ['(#,##0.00)', 1250, '(1,250.00)'],
    ['-#,##0.00;#,##0.00', 1250, '-1,250.00'],
    ['-#,##0.00;#,##0.00', -1250, '1,250.00'],
    ['_($* \\(#,##0\\);_($* #,##0_)', 1250, '$(1,250)'],
    ['[$€-407] -#,##0', 5, '€ -5'],
    ['#,##0.00;#,##0.00', -5, '5.00'],
    ['General;General', -5, '5'],
    ['0.\\-;0.\\-', -5, '5.-'],
  ])('is shown so: %s of %d', (code, value, expected) => {
    expect(signOf(code, value)).toBe(expected);
  });

  it.each([
    ['(#,##0.00)', -1250],
    ['(#,##0.00)', 0],
    ['#,##0.00_);(#,##0.00)', -1250],
    ['#,##0.00;[Red]#,##0.00', -1250],
    ['#,##0.00;#,##0.00-', -1250],
    ['-#,##0.00;#,##0.00', 0],
    ['_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-;_-@_-', 1250],
    ['0.\\-', 5],
    ['#,##0;"△ "#,##0', -1250],
    ['#,##0;▲#,##0', -1250],
    ['▲ #,##0;▼ #,##0', 1250],
    ['▲ #,##0;▼ #,##0', -1250],
    ['#,##0;<#,##0>', -1250],
    ['#,##0;\u2010#,##0', -1250],
    ['(###) ###-####', 5_185_550_142],
    ['[>=100]0;[Red]-0', 5],
    [';;;', 5],
  ])('has its own sign, or one that nobody takes for another: %s of %d', (code, value) => {
    expect(signOf(code, value)).toBeNull();
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

describe('a duration', () => {
  it.each([
    [60 / 24 + 40 / 1440, 'h', 's', '60:40:00'],
    [1.5, 'h', 'm', '36:00'],
    [0.01, 'm', 's', '14:24'],
    [-0.5, 'h', 'm', '-12:00'],
    [1, 's', 's', '86400'],
  ] as const)('is shown by its parts: %d', (serial, first, last, text) => {
    expect(durationOfSerial(serial, first, last)).toBe(text);
  });
});
