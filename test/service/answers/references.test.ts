import { describe, expect, it } from 'vitest';
import { assumedContract } from '../../../src/contract/contract-settings.ts';
import { identifier, referenceIn } from '../../../src/service/answers/answer.ts';

describe('an id or an address that a terminal would obey', () => {
  it.each(['deal_1\u001b[2J', 'deal_\u00071', 'deal_1\u009d', '\u202edeal_1'])('is none: %j', (id) => {
    expect(identifier(id)).toBeNull();
    const urlOf = (path: string) => referenceIn({ url: `https://service.example/${path}` }, assumedContract).url;
    expect(urlOf('deal_1')).not.toBeNull();
    expect(urlOf(id)).toBeNull();
  });
});
