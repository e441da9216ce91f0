/** How a body is written for the service: the contract's formats of dates, phones, EIN and SSN. As typed by default. */
import type { ContractSettings } from '../contract/contract-settings.ts';
import { type Field, fieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { ownForm, writtenDay } from '../contract/typed-values.ts';
import { type Body, setAt, valueAt } from './body.ts';
import { internationalPhone } from './values/phones.ts';

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

function rewriterOf(field: Field, contract: ContractSettings): Rewriter | null {
  const { wire } = contract;
  switch (field.format) {
    case 'date':
      return wire.date === ownForm ? null : (day) => writtenDay(day, wire.date);
    case 'phone':
      if (wire.phone === 'as typed') return null;
      return wire.phone === 'digits' ? digitsOf : (text) => internationalPhone(text, contract.phoneCountry) ?? text;
    case 'ein':
      return digitsRewriter(wire.ein, (digits) => `${digits.slice(0, 2)}-${digits.slice(2)}`);
    case 'ssn':
      return digitsRewriter(wire.ssn, (digits) => `${digits.slice(0, 3)}-${digits.slice(3, 5)}-${digits.slice(5)}`);
    default:
      return null;
  }
}

function digitsRewriter(form: 'as typed' | 'digits' | 'dashed', dashed: Rewriter): Rewriter | null {
  if (form === 'as typed') return null;
  return form === 'digits' ? digitsOf : (text) => dashed(digitsOf(text));
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
