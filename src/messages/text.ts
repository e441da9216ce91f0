/** Makes the text of a message: the one place that knows all catalogues. */
import { amountTexts } from './amounts.ts';
import { checkTexts } from './checks.ts';
import { commandTexts } from './commands.ts';
import { dateTexts } from './dates.ts';
import { exportedTexts } from './exported.ts';
import { identifierTexts } from './identifiers.ts';
import type { Catalogue, Message } from './message.ts';
import { planTexts } from './plan.ts';
import { probeTexts } from './probe.ts';
import { recordTexts } from './records.ts';
import { rowTexts } from './rows.ts';
import { remedyTexts, serviceTexts } from './service.ts';
import { valueTexts } from './values.ts';

/** @param told  makes the text of a message that stands in a parameter */
export function catalogues(told: (message: Message) => string): Readonly<Record<string, Catalogue>> {
  return {
    'Values of cells': valueTexts(told),
    Amounts: amountTexts(told),
    Dates: dateTexts(told),
    'Ids, EIN, SSN and ZIP': identifierTexts,
    'What a row lacks': recordTexts,
    'Rows of an exported template': exportedTexts,
    Checks: checkTexts(told),
    'What became of a row': rowTexts(told),
    'Why a row is not sent': planTexts(told),
    'What the service answered': serviceTexts(told),
    'What to do then': remedyTexts,
    Commands: commandTexts,
    'What a probe says': probeTexts(told),
  };
}

const texts = new Map(Object.values(catalogues(textOf)).flatMap((catalogue) => Object.entries(catalogue)));

/** The text that a person reads. A code of a newer version is shown as it is. */
export function textOf({ code, params }: Message): string {
  const text = texts.get(code) as ((params: Message['params']) => string) | undefined;
  return text === undefined ? code : text(params);
}
