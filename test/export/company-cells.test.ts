import { describe, expect, it } from 'vitest';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { companyCells } from '../../src/export/company-cells.ts';
import { type JsonObject, parseExactly } from '../../src/export/exact-json.ts';
import { decodeExported, encodeExported, isAsExported } from '../../src/workbooks/update-template.ts';

function cellsOf(text: string) {
  const record = parseExactly(text) as JsonObject;
  const cells = companyCells(recordKind('company-updates'));
  cells.look(record);
  return { ...cells.company('c1', record), headers: cells.columns().map(({ header }) => header) };
}

describe('a company as the cells of a template', () => {
  it.each(['**-***6710', '•••-••-6710', 'XXX-XX-6710', 'XX-XXX6710', 'xxxxx6710'])(
    'leaves blank what is masked as %s',
    (masked) => {
      const { values, locked } = cellsOf(`{"name":"A","ein":"${masked}"}`);
      expect(values).toEqual({ name: 'A' });
      expect(locked).toEqual(['ein']);
    },
  );

  it.each(['\\u001b[2J', '\\u0007', '\\u202e', '\\ud800'])('leaves blank what no sheet is to show: %s', (command) => {
    const { values, locked } = cellsOf(`{"name":"A","ein":"12-3456789${command}"}`);
    expect(values).toEqual({ name: 'A' });
    expect(locked).toEqual(['ein']);
    expect(cellsOf(JSON.stringify({ note: 'x'.repeat(32_768) }))).toMatchObject({ values: {}, locked: ['note'] });
    expect(cellsOf('{"name":"A\\r\\nB"}').values).toEqual({ name: 'A\r\nB' });
  });

  it('takes ordinary names for what they are', () => {
    for (const name of ['Maxx22 Motors', 'XX Diner', '5*Star Cleaning', 'Exxon 12']) {
      expect(cellsOf(JSON.stringify({ name })).values).toEqual({ name });
    }
  });

  it('has a column for every part of a list, by its number or in braces', () => {
    const { values, locked, headers } = cellsOf(
      '{"phones":[{"number":"1"},{"number":"2","ext":12345678901234567890}],"emails":[{"email":"a@b.example","type":"Work"}]}',
    );
    expect(values).toEqual({
      'phones[0].number': '1',
      'phones[1].number': '2',
      'phones[1].ext': '12345678901234567890',
      'emails[0].email': 'a@b.example',
      'emails[0].type': 'Work',
    });
    expect(locked).toEqual([]);
    expect(headers).toEqual(expect.arrayContaining(['Phone', 'Phone 2', 'E-mail type', '{phones[1].ext:number}']));
  });

  it.each([
    ['{"phones":["a","b"]}', 'phones'],
    ['{"phones":"518 555 0110"}', 'phones'],
    [`{"phones":[${Array.from({ length: 11 }, () => '{"number":"1"}').join(',')}]}`, 'phones'],
    ['{"addresses":[{"line1":"a","geo":{"exact":true}}]}', 'addresses'],
    ['{"contactTypes":[{"name":"Merchant"}]}', 'contactTypes'],
  ])('locks a field that no columns show as a whole: %s', (text, name) => {
    expect(cellsOf(text).locked).toEqual([name]);
  });
});

describe('what a template remembers', () => {
  it('comes back from its text, and long values are known again', () => {
    const long = `${'a long note '.repeat(60)}\r\nand its end`;
    const company = {
      id: 'c1',
      service: null,
      exportedAt: null,
      values: { name: 'A', note: long, 'phones[0].number': 'x'.repeat(300) },
      locked: ['ein'],
    };
    const text = encodeExported(company);
    expect(text.length).toBeLessThan(700);
    const back = decodeExported(text);
    expect(back).toMatchObject({ id: 'c1', locked: ['ein'], values: { 'phones[0].number': 'x'.repeat(300) } });
    expect(isAsExported(long.replaceAll('\r\n', '\n'), back?.values?.note)).toBe(true);
    expect(isAsExported(`${long}!`, back?.values?.note)).toBe(false);
    expect(isAsExported(' A ', back?.values?.name)).toBe(true);
    expect(isAsExported('a', back?.values?.name)).toBe(false);
  });

  it('is nothing once somebody has changed it', () => {
    const whole = encodeExported({ id: 'a', service: null, exportedAt: null, values: { name: 'Anchor' }, locked: [] });
    const replaced = whole.replace('Anchor', 'Bell');
    for (const text of ['', 'x', '{"id":1}', '{"id":"a","values":{"n":1}}', '[1]', 'null', replaced]) {
      expect(decodeExported(text), text).toBeNull();
    }
  });
});
