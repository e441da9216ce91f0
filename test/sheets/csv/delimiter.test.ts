import { describe, expect, it } from 'vitest';
import { findDelimiter } from '../../../src/sheets/csv/csv-source.ts';

/** A table of semicolons with decimal commas and a name that has a comma in it. */
const table = ['Ref;Company name;Amount requested', 'D1;Foo, Inc;1250,50', 'D2;Bar, LLC;980,00', 'D3;Baz;12'];
const withMark = (mark: string) => table.map((line) => line.replaceAll(';', mark)).join('\n');

describe('what stands between the cells of a table below a title', () => {
  it.each([';', '\t', '|'])('is found below a title of one cell (%j)', (mark) => {
    expect(findDelimiter(`Deals June 2026\n${withMark(mark)}\n`)).toBe(mark);
    expect(findDelimiter(`Deals June 2026\n\n\n${withMark(mark)}`)).toBe(mark);
    expect(findDelimiter(`Deals June 2026\nof all brokers\n${withMark(mark)}`)).toBe(mark);
  });

  it.each([';', '\t', '|'])('is found below a title with a comma in it (%j)', (mark) => {
    expect(findDelimiter(`Deals, June 2026\n${withMark(mark)}\n`)).toBe(mark);
    expect(findDelimiter(`Report\nDeals, June 2026\n\n${withMark(mark)}\n`)).toBe(mark);
    expect(findDelimiter(`Deals, June 2026\nAnn Lee, New York\n${withMark(mark)}\n`)).toBe(mark);
    expect(findDelimiter(`"Deals; all, of\nJune"\n${withMark(mark)}\n`)).toBe(mark);
  });

  it('is a comma below a title with another mark in it', () => {
    const rows = 'Ref,Company name,Tags\nD1,Foo,a;b\nD2,Bar,c;d\nD3,Baz,e;f';
    expect(findDelimiter(`Deals; June 2026\n${rows}\n`)).toBe(',');
    expect(findDelimiter(`Deals | June 2026\n${rows}\n`)).toBe(',');
  });
});

describe('what stands between the cells of a table without a title', () => {
  it('is the mark of the headers, however many others the texts of the rows hold', () => {
    expect(findDelimiter('Deal;Note\nD1;Called, twice, no answer\nD2;Sent, signed, back\nD3;a, b, c\n')).toBe(';');
    expect(findDelimiter('Name,Tags,Amount\nA,x;y;z;w,100\nB,x;y;z;w,200\nC,x;y;z;w,300\n')).toBe(',');
    expect(findDelimiter('Deal id,Assigned to\n123,45;67\n124,45;67\n125,45;67\n')).toBe(',');
    expect(findDelimiter('Amount;Fee\n1,50;2,50\n1,60;2,60\n')).toBe(';');
  });

  it('is the mark of the headers where rows leave out their last cells', () => {
    expect(findDelimiter('A;B;C;D;E\nFoo, Inc;2;3\nBar, LLC;5\nBaz, LP;6;7\n')).toBe(';');
  });

  it('is a comma where one column is all there is', () => {
    expect(findDelimiter('Company name\nFoo\nBar\n')).toBe(',');
    expect(findDelimiter('Company name\nFoo, Inc\nBar, LLC\n')).toBe(',');
    expect(findDelimiter('Company name\nFoo; Bar\nBaz\nMill\n')).toBe(',');
  });

  it('is a comma where a mark stands in a value of the only column', () => {
    expect(findDelimiter('Company name\nAcme\nGamma; Co\n')).toBe(',');
    expect(findDelimiter('Company name\nAcme\nBirch\nCedar\nGamma; Co\nDelta; Co\n')).toBe(',');
  });
});
