import { expect, it } from 'vitest';
import { linkAddress } from '../../../src/tables/xlsx/sheet-xml.ts';

it.each([
  ['https://bank.example/a', 'https://bank.example/a'],
  ['https://bank.example@evil.example', null],
  ['https://bank.example:x@evil.example/', null],
])('%s as a link is %s', (address, link) => expect(linkAddress(address)).toBe(link));
