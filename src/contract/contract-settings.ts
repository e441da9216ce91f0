/**
 * Every assumption about the service that is not a field of a record kind: what the interface leaves open ("not shown"),
 * each with its default, each to be changed in a profile under `contract`.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { answersSchema, path, scalar } from './answer-rules.ts';
import { balancesSchema } from './balances-rules.ts';
import { checkLevelsSchema } from './check-codes.ts';
import { endpoints } from './endpoints.ts';
import { formatsSchema } from './formats.ts';
import { blankLevels, expectedNames } from './needs.ts';
import { assumedOutcomeRules, outcomeRulesSchema, type RequestNature } from './outcome-rules.ts';
import { recordKindNames } from './record-kind.ts';
import { recordKind } from './record-kinds.ts';
import { withDayForm } from './rename.ts';
import { requestsSchema } from './request-rules.ts';
import { dateForm, ownForm } from './typed-values.ts';

export const refScopes = ['service', 'file'] as const;

/** `/api/deals/`, `/deals/{dealId}/notes?source=import`, `PUT /companies/{id}` */
const pathOverride = z.string().regex(/^(?:(?:POST|PUT|PATCH) )?\/[^\s#]*$/);
const pathOverrides = z.strictObject(
  Object.fromEntries(Object.keys(endpoints).map((name) => [name, pathOverride.optional()])),
);

/** What stands in a body when the token is refused, whatever its status; any of several. */
const tokenSign = z.strictObject({ path, is: scalar });
const tokenSigns = z
  .union([tokenSign, z.array(tokenSign)])
  .nullable()
  .default(null)
  .transform((signs) => (signs === null ? [] : [signs].flat()));

/** A header of every request, such as the version that is asked for; not one that the client must see to itself. */
const headerName = z
  .string()
  .regex(
    /^(?!(?:authorization|cookie|host|connection|expect|upgrade|te|trailer|keep-alive|(?:content|transfer|proxy)-.*)$)[a-z\d-]+$/,
  );
const headerValue = z.string().regex(/^[\x20-\x7e]+$/);
const constantHeaders = z.record(headerName, headerValue).default({});

const declaredSettings = z.strictObject({
  /** Endpoints that stand at another path than the interface says. */
  paths: pathOverrides.default({}),
  /** How requests are written: other names, constants, envelopes, groups. */
  requests: requestsSchema.prefault({}),
  /** What answers mean: where the id stands, what is a yes, what is a no. */
  answers: answersSchema.default({}),
  /** How an expired token is told in a body, beside the statuses of the table: any of several signs. */
  token: tokenSigns,
  /** Headers of every request, their names in small letters. */
  headers: constantHeaders,
  /** The header that holds the idempotency key, where keys are sent. */
  idempotencyHeader: headerName.default('idempotency-key'),
  /** How Get loan balances answers, and what is made of it: neither is shown (4.12). */
  balances: balancesSchema.prefault({}),
  /** How values are written in a body; the interface shows no formats (2.7). */
  wire: z
    .strictObject({
      date: z.string().regex(dateForm).default(ownForm),
      phone: z.enum(['as typed', 'E.164', 'digits']).default('as typed'),
      ein: z.enum(['as typed', 'digits', 'dashed']).default('as typed'),
      ssn: z.enum(['as typed', 'digits', 'dashed']).default('as typed'),
      /** What JSON is sent as. */
      mediaType: z
        .string()
        .regex(/^application\/(?:[\w.-]+\+)?json(?:; ?[\w.=-]+)*$/)
        .default('application/json'),
    })
    .prefault({}),
  /** The country of phone numbers that do not begin with +. */
  phoneCountry: z.string().length(2).default('US'),
  /**
   * What a blank is where the schema takes one, by what is expected (`transactions.date`). What we assume to be needed, such as the
   * deal, the date and the amount of a transaction, is an error; what the interface lists (2.2, 2.3: `deals.company.dba`) a warning.
   */
  needs: z.partialRecord(z.enum(expectedNames), z.enum(blankLevels)).default({}),
  /** The valid deal statuses (3: not shown). Empty when they are not known, and then any status is sent. */
  dealStatuses: z.array(z.string().min(1)).default([]),
  /** Who can be assigned to a deal (2.1 does not say what names one): offered as a list in templates, not checked. */
  assignees: z.array(z.string().min(1)).default([]),
  /** Whether a Ref names a record of the service, whatever file it comes with, or links the rows of one file alone. */
  refScope: z.enum(refScopes).default('service'),
  /** How cells are read where they do not tell it themselves. */
  formats: formatsSchema.prefault({}),
  /** The levels of checks, where they differ from the defaults. */
  checks: checkLevelsSchema.default({}),
  /** What a status means, where it differs from the assumed table. */
  outcomes: z
    .strictObject({ create: outcomesOf('create'), update: outcomesOf('update'), read: outcomesOf('read') })
    .prefault({}),
});

function outcomesOf(nature: RequestNature) {
  return outcomeRulesSchema.default({}).transform((own) => ({ ...assumedOutcomeRules[nature], ...own }));
}

export const contractSettingsSchema = declaredSettings.transform(({ requests, ...contract }) => {
  const written = recordKindNames.map((name) => {
    const rules = requests[name];
    return [name, { ...rules, rename: withDayForm(recordKind(name), rules.rename, contract.wire.date) }];
  });
  return { ...contract, requests: Object.fromEntries(written) as typeof requests };
});

export type ContractSettings = z.output<typeof contractSettingsSchema>;

/** The contract as assumed, without any change by a profile. */
export const assumedContract: ContractSettings = contractSettingsSchema.parse({});

/** Parts that exports and templates go by, and no load. */
const besidesLoads: ReadonlySet<string> = new Set<keyof ContractSettings>(['balances', 'assignees']);

/** SHA-256, in hexadecimal, of everything in a contract that a load goes by, in whatever order it is written down. */
export function contractDigest(contract: ContractSettings): string {
  const parts = Object.entries(contract).filter(([name]) => !besidesLoads.has(name));
  return createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(parts), inOneOrder))
    .digest('hex');
}

function inOneOrder(_name: string, part: unknown): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
}
