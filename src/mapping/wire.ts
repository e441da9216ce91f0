/** How a body is written for the service: the contract's formats of phones, EIN and SSN. As typed by default. */
import { createRequire } from 'node:module';
import type { CountryCode } from 'libphonenumber-js';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { type Field, fieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { type Body, setAt, valueAt } from './body.ts';

const require = createRequire(import.meta.url);

export type WireWriter = (body: Body) => Body;

/** Makes the function that writes the bodies of a kind; it gives the body back as it is when nothing is to be changed. */
export function wireWriter(kind: RecordKind, contract: ContractSettings): WireWriter {
  const rewriters = fieldsOf(kind).flatMap((field) => {
    const rewrite = field.place === 'body' ? rewriterOf(field, contract) : null;
    return rewrite === null ? [] : [{ segments: field.segments, rewrite }];
  });
  if (rewriters.length === 0) return (body) => body;
  return (body) => {
    const written = structuredClone(body);
    for (const { segments, rewrite } of rewriters) {
      const value = valueAt(written, segments);
      if (typeof value === 'string') setAt(written, segments, rewrite(value));
    }
    return written;
  };
}

type Rewriter = (value: string) => string;

function rewriterOf({ format }: Field, { wire, phoneCountry }: ContractSettings): Rewriter | null {
  if (format !== 'phone' && format !== 'ein' && format !== 'ssn') return null;
  if (wire[format] === 'as typed') return null;
  if (wire[format] === 'digits') return digitsOf;
  if (format === 'phone') return (text) => internationalPhone(text, phoneCountry) ?? text;
  const dashed = format === 'ein' ? /^(..)(.*)$/ : /^(...)(..)(.*)$/;
  return (text) => (dashed.exec(digitsOf(text)) ?? []).slice(1).join('-');
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** The number in E.164 (`+15185550142`), or `null` when it cannot be told. Without + a number is of the contract's country. */
function internationalPhone(text: string, country: string): string | null {
  const library: typeof import('libphonenumber-js') = require('libphonenumber-js');
  return library.parsePhoneNumberFromString(text, country as CountryCode)?.number ?? null;
}
