/** Makes the text of a message. The only module that knows all catalogues. */
import { checkTexts, recordTexts } from './checks.ts';
import { commandTexts } from './commands.ts';
import { type Catalogue, type Message, textWith } from './message.ts';
import { planTexts } from './plan.ts';
import { remedyTexts, serviceTexts } from './service.ts';
import { valueTexts } from './values.ts';

export const catalogues: Readonly<Record<string, Catalogue>> = {
  'Values of cells': valueTexts,
  'What a row lacks': recordTexts,
  Checks: checkTexts,
  'Why a row is not sent': planTexts,
  'What the service answered': serviceTexts,
  'What to do then': remedyTexts,
  Commands: commandTexts,
};

const texts = new Map(Object.values(catalogues).flatMap((catalogue) => Object.entries(catalogue)));

export function textOf({ code, params }: Message): string {
  return textWith(texts.get(code) ?? code, params, textOf);
}
