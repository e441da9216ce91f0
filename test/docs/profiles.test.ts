import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerRulesSchema } from '../../src/contract/answer-rules.ts';
import { contractSettingsSchema, requestRulesSchema } from '../../src/contract/contract-settings.ts';
import { configurationSchema } from '../../src/settings/configuration.ts';
import { root } from '../builders/workplace.ts';

const page = readFileSync(join(root, 'docs', 'profiles.md'), 'utf8');
const examples = [...page.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, json = '']) => json);
const renames = [...(page.split('## How requests are written')[1] ?? '').matchAll(/`("[^`]+": "[^`]+")`/g)].map(
  ([, json = '']) => `{${json.replaceAll('\\|', '|')}}`,
);

describe('the page on profiles', () => {
  it.each(examples)('gives an example that can stand in one: %s', (json) => {
    expect(contractSettingsSchema.safeParse(JSON.parse(json))).toMatchObject({ success: true });
  });

  it.each(renames)('gives names that can stand in one: %s', (json) => {
    const rename: unknown = JSON.parse(json);
    expect(requestRulesSchema.safeParse({ rename })).toMatchObject({ success: true });
  });

  it('gives the header of a key together with its yes', () => {
    const [profile = ''] = /\{ "url".*idempotencyHeader.*/.exec(page) ?? [];
    const read = (given: string) => configurationSchema.safeParse({ profiles: { live: JSON.parse(given) } }).success;
    expect(read(profile.replace('…', 'service.example'))).toBe(true);
    expect(read(profile.replace('…', 'service.example').replace('"idempotencyKey": true,', ''))).toBe(false);
  });

  it.each([
    ['Request.Header.From', true],
    ['Request.Body', false],
    ['Request.Body.From', false],
    ['Request', false],
  ])('lets %s stand beside the envelope Request.Body: %s', (path, success) => {
    const rules = { envelope: 'Request.Body', beside: { [path]: 'me' } };
    expect(requestRulesSchema.safeParse(rules)).toMatchObject({ success });
  });

  it.each([...Object.keys(answerRulesSchema.shape), ...Object.keys(requestRulesSchema.shape)])(
    'tells of %s',
    (member) => {
      expect(page).toMatch(new RegExp(`^\\|[^|]*\`${member}\``, 'm'));
    },
  );
});
