/** All checks. A new one is a file of its own, its code in the contract, its text, and a line here. */
import { attachmentFile } from './attachment-file.ts';
import type { Check } from './check.ts';
import { exampleRow } from './example-row.ts';
import { hiddenRows } from './hidden-rows.ts';
import { linkText } from './link-text.ts';
import { mergedCells } from './merged-cells.ts';
import { movedCells } from './moved-cells.ts';
import { refs } from './refs.ts';
import { sameContent } from './same-content.ts';
import { totalRow } from './total-row.ts';
import { unheadedCells } from './unheaded-cells.ts';

export const checks: readonly Check[] = [
  refs,
  sameContent,
  totalRow,
  exampleRow,
  attachmentFile,
  mergedCells,
  linkText,
  unheadedCells,
  movedCells,
  hiddenRows,
];
