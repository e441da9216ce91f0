import { describe, expect, it } from 'vitest';
import { dateOfSerial, durationOfSerial } from '../../../src/tables/xlsx/cell-value.ts';
import { builtInLook, lookOfCode, shownNumber } from '../../../src/tables/xlsx/number-format.ts';

describe('what a number format makes of a number', () => {
  it.each([
    ...['yyyy\\-mm\\-dd', '[$-F800]dddd\\, mmmm dd', 'd/m/yy;@'],
    ...['[~buddhist]dd/mm/yyyy', '[Red]m/d/yy', '[$-411]ge.m.d'],
  ])('is a date: %s', (code) => {
    expect(lookOfCode(code)).toEqual({ kind: 'date' });
  });

  it.each([
    ...['General', '[DBNum1][$-804]General', '[DBNum2]0', '[Magenta]0.0'],
    ...['"US$"#,##0', '"USD$"#,##0', '_(* #,##0_);_(* (#,##0);_(* "-"??_)', '#,##0_-;#,##0-'],
    ...['#.##0,00', '#,##0.00_)', '_-* #,##0.00\\ [$USD]_-', '@'],
  ])('is nothing special: %s', (code) => {
    expect(lookOfCode(code)).toEqual({ kind: 'plain' });
  });

  it.each([
    ['"NOK "#,##0.00', 'NOK'],
    ['#,##0 "CHF"', 'CHF'],
    ['[$€-407]\\ #,##0.00', '€'],
    ['#,##0.00\\ [$kr.-406];[Red]-#,##0.00\\ [$kr.-406]', 'kr.'],
    ['_-"£"* #,##0.00_-', '£'],
    ['[$CA$-1009]#,##0', 'CA$'],
    ['"CA$"#,##0.00', 'CA$'],
    ['"R$ "#,##0.00', 'R$'],
    ['#,##0 "MXN$"', 'MXN$'],
    ['\\C$#,##0', 'C$'],
  ])('is that of another currency than dollars: %s', (code, currency) => {
    expect(lookOfCode(code)).toEqual({ kind: 'plain', currency });
  });

  it.each([
    ...['yyyy', 'mmm\\-yy', 'yyyy"年"m"月"', '[$-409]mmmm', 'dddd'].map((code) => [code, 'no day']),
    ...['[Red]m/d', '[ENG][$-409]d mmm', 'd-mmm', 'm/d h:mm'].map((code) => [code, 'no year']),
    ...['h:mm', '[$-409]h:mm AM/PM', 'h:mm:ss;@', 'mm:ss'].map((code) => [code, 'time alone']),
  ])('is a date without its day or year: %s', (code, shows) => {
    expect(lookOfCode(code)).toEqual({ kind: 'date', shows });
  });

  it.each([
    ...['[h]:mm:ss', '[hh]:mm', '[mm]:ss'].map((code) => [code, 'duration']),
    ...['0.00E+00', '##0.0E+0', '# ?/?', '# ??/16'].map((code) => [code, 'form']),
  ])('is a form that programs make of a text: %s', (code, kind) => {
    expect(lookOfCode(code)).toEqual({ kind });
  });

  it.each([
    [11, 'form'],
    [12, 'form'],
    [46, 'duration'],
    [48, 'form'],
  ])('is known by its number alone where it needs no code: %d', (id, kind) => {
    expect(builtInLook(id)).toEqual({ kind });
  });

  it('is a percentage only with a sign that counts', () => {
    expect(lookOfCode('0.0%')).toEqual({ kind: 'percent' });
    expect(lookOfCode('[Blue]0%;[Red]-0%')).toEqual({ kind: 'percent' });
    expect(lookOfCode('0"%"')).toEqual({ kind: 'plain' });
    expect(lookOfCode('0\\%')).toEqual({ kind: 'plain' });
  });
});

describe('a number in a format that says more or something else', () => {
  const shownBy = (code: string, value: number) => {
    const look = lookOfCode(code);
    return look.kind === 'more' ? shownNumber(value, look.code) : {};
  };

  it.each([
    ['"INV-"0000', 12, 'INV-0012'],
    ['"D-"00-00', 312, 'D-03-12'],
    ['#,##0.00" DR";#,##0.00" CR"', -1250, '1,250.00 CR'],
    ['#,##0.00" DR"', -1.005, '-1.01 DR'],
    ['[Red]"NOK "0.##" CR"', 1250.5, 'NOK 1250.5 CR'],
    ['General" CR"', 0.1 + 0.2, '0.3 CR'],
    ['#" items"', 0, 'items'],
    ['0;-0;"nil"', 0, 'nil'],
    ['0.0,,"M"', 1_250_000, '1.3M'],
    ['0,.00', 1250, '1.25'],
    ['0000_)', 12, '0012'],
    ['"0"00', 5, '005'],
    ['[>=1000000]0.0,,"M";[>=1000]0,"k";0', 2_500_000, '2.5M'],
    ['(000) 000-0000', 5_185_550_142, '(518) 555-0142'],
    ['$#","##0"."00', 125_050, '$1,250.50'],
    ['0"000"', 12, '12000'],
    ['0"000"', -12, '-12000'],
    ['0;0', -5, '5'],
    ['"0."00', 5, '0.05'],
    ['(#,##0.00)', 1250, '(1,250.00)'],
    ['-#,##0.00;#,##0.00', 1250, '-1,250.00'],
    ['_($* \\(#,##0\\);_($* #,##0_)', 1250, '$(1,250)'],
    ['[$€-407] -#,##0', 5, '$ -5'],
    ['General;General', -5, '5'],
    ['0.\\-;0.\\-', -5, '5.-'],
    ['[>=100]0;[Red]-0', 5, '-5'],
  ])('is what is seen: %s of %d', (code, value, shown) => {
    expect(shownBy(code, value)).toEqual({ shown });
  });

  it.each([
    ['#"."##0', 1250],
    ['#,##0",-"', 1250],
    ['#,##0".-"', 1250],
    ['0.\\-', 5],
    ['[Red]', 1250.5],
    ['[Red]', -1250.5],
    ['[>=10000000]##\\,##\\,##\\,##0;[>=100000]##\\,##\\,##0;##,##0', 12_345_678],
    ['[>=10000000]##\\,##\\,##\\,##0.00;[>=100000]"\u20b9"##\\,##\\,##0.00;##,##0.00', 1_250_000],
    ['#,##0.00;#,##0.00" CR"', 1250],
    ['[>=1000]0,"k";0', 999],
    ['[<>5]0"x";0', 5],
    ['0;-0;"-"', 0],
    ['(#,##0.00)', -1250],
    ['#,##0.00;[Red]#,##0.00', -1250],
    ['#,##0.00;#,##0.00-', -1250],
    ['_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-;_-@_-', 1250],
    ['#,##0;"△ "#,##0', -1250],
    ['▲ #,##0;▼ #,##0', -1250],
    ['#,##0;<#,##0>', -1250],
    ['#,##0;\u2010#,##0', -1250],
    ['(000) 000-0000', 12.5],
    ['#,##0.00##########;[Red]-#,##0.00##########', 34_567.123],
    ['[>=1000]0,"k";0.00', 1.005],
  ])('is the number itself where that is what a person sees: %s of %d', (code, value) => {
    expect(shownBy(code, value)).toEqual({});
  });

  it.each([
    [';;;', 77],
    ['0;-0;;@', 0],
    ['0.00;;', -5],
    ['#,##0_);(#,##0);_(', 0],
  ])('is seen nowhere: %s of %d', (code, value) => {
    expect(shownBy(code, value)).toEqual({ inOtherForm: true });
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
    [60 / 24 + 40 / 1440, '60:40:00'],
    [1.5, '36:00:00'],
    [0.01, '0:14:24'],
    [-0.5, '-12:00:00'],
  ] as const)('is shown in hours, minutes and seconds: %d', (serial, text) => {
    expect(durationOfSerial(serial)).toBe(text);
  });
});
