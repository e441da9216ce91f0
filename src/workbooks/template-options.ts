/** What a template shows. */
import type { Field, TemplateExtent } from '../contract/fields.ts';

export interface TemplateOptions {
  /** How much of each kind is shown, or the very columns of the one kind. */
  readonly columns: TemplateExtent | readonly Field[];
  /** With a row of examples. */
  readonly examples: boolean;
  /** Valid deal statuses for a drop-down; empty when they are not known. */
  readonly dealStatuses: readonly string[];
  /** Who can be assigned, for a drop-down; empty when that is not known. */
  readonly assignees: readonly string[];
}
