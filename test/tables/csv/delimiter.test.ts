import { describe, expect, it } from 'vitest';
import { findDelimiter } from '../../../src/tables/csv/csv-source.ts';

/** A table of semicolons with decimal commas and a name that has a comma in it. */
const table = ['Ref;Company name;Amount requested', 'D1;Foo, Inc;1250,50', 'D2;Bar, LLC;980,00', 'D3;Baz;12'].join(
  '\n',
);

describe('what stands between the cells of a table', () => {
  it.each([';', '\t', '|'])('is found below a title of one cell, or with a comma in it (%j)', (mark) => {
    for (const title of ['Deals June 2026', 'Deals, June 2026\nAnn Lee, New York', '"Deals; all, of\nJune"'])
      expect(findDelimiter(`${title}\n${table.replaceAll(';', mark)}\n`)).toBe(mark);
  });

  it.each([
    [';', 'Deal;Note\nD1;Called, twice, no answer\nD2;Sent, signed, back\nD3;a, b, c\n'],
    [';', 'Amount;Fee\n1,50;2,50\n1,60;2,60\n'],
    [';', 'A;B;C;D;E\nFoo, Inc;2;3\nBar, LLC;5\nBaz, LP;6;7\n'],
    [';', 'June 2026\nDeal;Day;Amount;Fee\nD1;3.6.2026;1250,50;12,50\nD2;4.6.2026;980,00;9,80\n'],
    ['\t', 'Notes, 06/30/2026, 10:15\nDeal\tNote\nD1\tCalled, twice\nD2\tSigned, sent\nD3\tCalled\n'],
    [',', 'Name,Tags,Amount\nA,x;y;z;w,100\nB,x;y;z;w,200\nC,x;y;z;w,300\n'],
    [',', 'Deal id,Assigned to\n123,45;67\n124,45;67\n125,45;67\n'],
    [',', 'Deal,Status,Note,Author\n1,Funded,called; left\n2,Funded,ok; x,Bob\n3,Funded,y; z\n4,Funded,y; z,Ann\n'],
    [',', 'Company name\nFoo, Inc\nBar, LLC\n'],
    [',', 'Company name\nAcme\nBirch\nCedar\nGamma; Co\nDelta; Co\n'],
  ])('is the mark of the headers, whatever the texts of the rows hold: %j', (mark, text) => {
    expect(findDelimiter(text)).toBe(mark);
  });
});
