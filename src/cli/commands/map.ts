/** `dealsheet map FILE`: draft how somebody else's file is to be read. */
import { existsSync } from 'node:fs';
import type { FieldFormat } from '../../contract/field-facts.ts';
import { recordKindNames } from '../../contract/record-kind.ts';
import { DealsheetError } from '../../errors.ts';
import { ownerOnly } from '../../file-modes.ts';
import type { Mapping, SheetMappingRules } from '../../mapping/mapping-file/mapping.ts';
import { joinOfMoney } from '../../mapping/mapping-file/money-columns.ts';
import { unfilledFields, unfilledNeeds } from '../../mapping/mapping-file/unfilled.ts';
import { openColumns } from '../../pipeline/draft-mapping.ts';
import { unwritable, writeWhole } from '../../pipeline/report/write-whole.ts';
import { namesWithCommas, shellWord } from '../../pipeline/rows/shell-word.ts';
import { command } from '../command.ts';
import { saidKinds } from '../flags/kind-flags.ts';
import { ignored } from '../flags/reading-flags.ts';
import { withRepeatableFlags } from '../flags/repeated-flags.ts';
import { standardInputWord } from '../flags/standard-input-word.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { counted } from '../terminal/figures.ts';
import { openTerminal } from '../terminal/terminal.ts';

export const mapCommand = command({
  examples: [
    ['dealsheet map broker.xlsx --as deals -o broker.json', 'draft it, then open broker.json and decide what is open'],
    ['dealsheet check broker.xlsx --mapping broker.json', 'see whether all of it fits'],
    ['dealsheet import broker.xlsx --mapping broker.json --profile live', 'load it, this month and the next'],
  ],
  builder: (yargs) =>
    withRepeatableFlags(yargs, {
      as: `What the rows are, when neither sheet name nor headers tell: ${recordKindNames.join(', ')}; SHEET=KIND for one sheet, as often as wanted`,
    })
      .positional('file', { type: 'string', demandOption: true, describe: 'The CSV or XLSX file of somebody else' })
      .options({
        output: {
          type: 'string',
          alias: 'o',
          requiresArg: true,
          describe: 'Where the mapping goes; else it is printed',
        },
        yes: { type: 'boolean', alias: 'y', default: false, describe: 'Ask nothing, and leave open what is not sure' },
        sheet: { type: 'string', requiresArg: true, describe: 'Draft this sheet alone' },
        'ignore-sheets': {
          type: 'string',
          requiresArg: true,
          describe: 'Sheets that hold nothing to load, separated by commas; all for every one that tells nothing',
        },
        encoding: { type: 'string', requiresArg: true, describe: 'Character set of a CSV file, such as windows-1252' },
        delimiter: { type: 'string', requiresArg: true, describe: 'What stands between the cells of a CSV file' },
      }),
  takesDashAt: ['output'],
  run: async (flags) => {
    const terminal = openTerminal({ quiet: false });
    const output = flags.output === standardInputWord ? undefined : flags.output;
    if (output !== undefined && existsSync(output)) throw isThereAlready(output, null);
    const { ofAll, ofSheet } = saidKinds(flags.as ?? []);
    const { draftMapping } = await import('../../pipeline/draft-mapping.ts');
    const { recordKind } = await import('../../contract/record-kinds.ts');
    const { kindAsker, walkThrough } = await import('../talk/mapping-walk.ts');
    const mayAsk = terminal.isInteractive && !flags.yes && output !== undefined;
    const draft = await draftMapping({
      file: flags.file,
      kind: ofAll === null ? null : recordKind(ofAll),
      kinds: new Map([...ofSheet].map(([sheet, kind]) => [sheet, recordKind(kind)])),
      sheet: flags.sheet ?? null,
      ignoredSheets: ignored(flags.ignoreSheets),
      askKind: mayAsk ? kindAsker(terminal) : null,
      encoding: flags.encoding ?? null,
      delimiter: flags.delimiter ?? null,
    });
    const mapping = mayAsk ? await walkThrough(draft, terminal) : draft.mapping;
    const text = `${JSON.stringify(mapping, null, 2)}\n`;
    if (output === undefined) terminal.print(text.trimEnd());
    else write(output, text);
    terminal.say(
      [
        ...sheetsText(mapping),
        ...draft.unknown.map(unknownText),
        ...mapping.sheets.flatMap(blanksText),
        toDo(mapping, { ...flags, output }),
      ].join('\n'),
    );
    return exitCodes.allIn;
  },
});

/** A mapping that a person has finished is not drafted over. It shows a few values of the file, and is for its owner alone. */
function write(path: string, text: string): void {
  try {
    writeWhole(path, text, { flag: 'wx', mode: ownerOnly });
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') throw isThereAlready(path, cause);
    throw unwritable(path, cause);
  }
}

function isThereAlready(path: string, cause: unknown): DealsheetError {
  const message = `${path} is there already, and may hold what you have decided.`;
  return new DealsheetError('usage', message, 'Name another file with -o, or remove that one first.', { cause });
}

/** What each sheet is taken for, where there are several. */
function sheetsText({ sheets, ignoreSheets = [] }: Mapping): readonly string[] {
  const read = sheets.flatMap(({ sheet, kind }) => (sheet === undefined ? [] : [{ sheet, kind }]));
  const [first, ...others] = read;
  const kinds = [
    `${first?.sheet} is read as ${first?.kind}`,
    ...others.map(({ sheet, kind }) => `${sheet} as ${kind}`),
  ];
  return [
    ...(first === undefined ? [] : [`${kinds.join(', ')}.`]),
    ...ignoreSheets.map((sheet) => `${sheet} is left out.`),
  ];
}

function unknownText(sheet: string): string {
  return `${sheet} is not in the draft: neither its name nor its headers tell what its rows are. Draft again with --as ${shellWord(`${sheet}=KIND`)}, or with --ignore-sheets ${shellWord(namesWithCommas([sheet]))} to leave it out.`;
}

interface DraftFlags {
  readonly file: string;
  readonly sheet: string | undefined;
  readonly output: string | undefined;
}

const usualName = 'mapping.json';

function toDo(mapping: Mapping, { file, sheet, output: named }: DraftFlags): string {
  const output = named ?? usualName;
  const open = mapping.sheets.flatMap(openColumns);
  const needed = mapping.sheets.flatMap(neededText);
  const ofSheet = sheet === undefined ? '' : ` --sheet ${shellWord(sheet)}`;
  const check = `See whether it fits with: dealsheet check ${shellWord(file)} --mapping ${shellWord(output)}${ofSheet}`;
  const unwritten = `The draft is in no file yet: give -o ${usualName}, and it is written there.`;
  const next = named === undefined ? `${unwritten}\n${check}` : check;
  if (open.length === 0) return [foundText(mapping), ...needed, next].join('\n');
  return [
    `${counted(open.length, 'column')} ${open.length === 1 ? 'is' : 'are'} open:`,
    ...open.map((name) => `  ${name}`),
    `Give each its "field" in ${output}, or null in place of the braces to leave it out.`,
    ...mapping.sheets.flatMap(moneyText),
    ...needed,
    next,
  ].join('\n');
}

/** A column that was left out has found no field, and its values are not sent. */
function foundText(mapping: Mapping): string {
  const rules = mapping.sheets.flatMap((sheet) => Object.values(sheet.columns));
  const leftOut = rules.filter((rule) => rule === null).length;
  if (leftOut === 0) return 'Every column has found its field.';
  const found = rules.length - leftOut;
  return `${counted(found, 'column')} ${found === 1 ? 'has its field' : 'have their fields'}, and ${counted(leftOut, 'column')} ${leftOut === 1 ? 'is' : 'are'} left out: what stands there is not sent.`;
}

function moneyText(rules: SheetMappingRules): readonly string[] {
  const join = joinOfMoney(rules);
  if (join === null) return [];
  const [out, into] = join.columns;
  return [
    `Where "${out}" and "${into}" hold one ${join.field.toLowerCase()} between them, take both out of "columns", and write beside it:`,
    `  "joins": [${JSON.stringify(join)}]`,
    `"minus" turns the sign of "${out}": leave it out where money out is below zero already, or has no sign in the service either.`,
  ];
}

function blanksText({ sheet, blanks = [] }: SheetMappingRules): readonly string[] {
  if (blanks.length === 0) return [];
  const words = blanks.map((word) => JSON.stringify(word)).join(' or ');
  return [`${sheet === undefined ? '' : `${sheet}: `}Cells that say ${words} count as blank ("blanks").`];
}

function neededText(rules: SheetMappingRules): readonly string[] {
  const sheet = rules.sheet === undefined ? '' : `${rules.sheet}: `;
  const needs = unfilledNeeds(rules).map((need) => `${sheet}${need}`);
  const [field] = unfilledFields(rules).filter(({ format }) => mayBeSame.has(format));
  if (field === undefined) return needs;
  const constants = JSON.stringify({ [field.label]: field.facts.example });
  return [...needs, `Where all rows say the same, write beside "columns": "constants": ${constants}`];
}

/** What every row of a file may say alike; an amount or an id is each row's own. */
const mayBeSame: ReadonlySet<FieldFormat> = new Set(['text', 'choice', 'choices', 'list']);
