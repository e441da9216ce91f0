/** The frame of every page. Whatever comes from a record goes through the html tag, which escapes it. */
import { html } from 'hono/html';
import { recordKind } from '../../contract/record-kinds.ts';
import { kindNames, type StoredKind, storedKinds } from '../record-ids.ts';

/** A piece of a page: text that is already escaped. */
export type Piece = ReturnType<typeof html>;

export interface PageParts {
  readonly title: string;
  /** The kind whose link in the navigation is marked as the present one. */
  readonly kind: StoredKind | null;
  readonly content: Piece;
}

/** A kind's name in words: `Submission loans`. */
export function sheetOf(kind: StoredKind): string {
  return recordKind(kindNames[kind]).sheet;
}

export function page({ title, kind, content }: PageParts): Piece {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Dealsheet sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<p class="name"><a href="/">Dealsheet sandbox</a> <span>a rehearsal: nothing here is in the real service</span></p>
<nav aria-label="Records"><ul>${storedKinds.map((each) => navigationItem(each, kind))}
<li class="apart"><a href="/api">Interface</a></li><li><a href="/help">Help</a></li></ul></nav>
</header>
<main id="main"><h1>${title}</h1>
${content}
</main>
</body>
</html>`;
}

function navigationItem(kind: StoredKind, present: StoredKind | null): Piece {
  const path = `/${kindNames[kind]}`;
  return kind === present
    ? html`<li><a href="${path}" aria-current="page">${sheetOf(kind)}</a></li>`
    : html`<li><a href="${path}">${sheetOf(kind)}</a></li>`;
}

/** A table with its heads; a cell is text, or a piece that is already escaped. */
export function table(caption: string, heads: readonly Head[], rows: readonly (readonly (Piece | string)[])[]): Piece {
  return html`<div class="wide" tabindex="0" role="group" aria-label="${caption}"><table><caption>${caption}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col"${numeric(head)}>${head.label}</th>`)}</tr></thead>
<tbody>${rows.map(
    (cells) => html`<tr>${cells.map((cell, index) => html`<td${numeric(heads[index])}>${cell}</td>`)}</tr>
`,
  )}</tbody></table></div>`;
}

export interface Head {
  readonly label: string;
  readonly isNumber?: true;
}

function numeric(head: Head | undefined): Piece | string {
  return head?.isNumber === true ? html` class="number"` : '';
}
