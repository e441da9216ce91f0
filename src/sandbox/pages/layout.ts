/** The frame of every page. Record data goes through the html tag, which escapes it. */
import { html } from 'hono/html';
import { storedKinds } from '../kinds.ts';

/** Part of a page, already escaped. */
export type Piece = ReturnType<typeof html>;

export function page(title: string, content: Piece): Piece {
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
<header>
<p class="name"><a href="/">Dealsheet sandbox</a> <span>a rehearsal: nothing here is in the real service</span></p>
<nav aria-label="Records"><ul>${storedKinds.map(({ name, sheet }) => html`<li><a href="/${name}">${sheet}</a></li>`)}
<li><a href="/openapi.json">Interface</a></li></ul></nav>
</header>
<main><h1>${title}</h1>
${content}
</main>
</body>
</html>`;
}

export function section(title: string, content: Piece): Piece {
  return html`<section><h2>${title}</h2>${content}</section>`;
}

/** A table. Strings in cells are escaped. */
export function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly (Piece | string)[])[],
): Piece {
  return html`<div class="wide" tabindex="0" role="group" aria-label="${caption}"><table><caption>${caption}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody></table></div>`;
}

export function definitions(lines: readonly (readonly [label: string, text: string])[]): Piece {
  return html`<dl>${lines.map(([label, text]) => html`<dt>${label}</dt><dd>${text}</dd>`)}</dl>`;
}

/** Served by the sandbox itself, with light and dark colors. */
export const styleSheet = `
:root { color-scheme: light dark; --ink: #1d2733; --quiet: #55616f; --line: #d5dbe2; --ground: #ffffff; --band: #f3f6f9; --link: #0b57a4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e9ef; --quiet: #a3afbc; --line: #3a444f; --ground: #161b21; --band: #1f262e; --link: #86bdf5; }
}
body { margin: 0; color: var(--ink); background: var(--ground); font: 16px/1.5 system-ui, "Segoe UI", sans-serif; }
a { color: var(--link); }
header { background: var(--band); border-bottom: 1px solid var(--line); padding: .75rem 1.5rem; }
.name { margin: 0 0 .5rem; font-weight: 600; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0; padding: 0; }
main { max-width: 78rem; margin: 0 auto; padding: 1rem 1.5rem 4rem; }
h1, td, dd { overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); }
.quiet, .name span, caption, dt { color: var(--quiet); font-weight: 400; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption, th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; }
th, td { border-bottom: 1px solid var(--line); min-width: 5rem; }
td:first-child, th { white-space: nowrap; }
dl { display: grid; grid-template-columns: minmax(6rem, 16rem) 1fr; gap: .3rem 1rem; margin: 0; }
dd { margin: 0; white-space: pre-wrap; }
`;
