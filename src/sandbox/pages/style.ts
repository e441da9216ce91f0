/** The style sheet of the pages: served by the sandbox itself, for light and dark screens. */
export const styleSheet = `
:root { color-scheme: light dark; --ink: #1d2733; --quiet: #55616f; --line: #d5dbe2; --ground: #ffffff; --band: #f3f6f9; --link: #0b57a4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e9ef; --quiet: #a3afbc; --line: #3a444f; --ground: #161b21; --band: #1f262e; --link: #86bdf5; }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--ground); font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
a { color: var(--link); }
a:focus-visible, input:focus-visible, button:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: .5rem; background: var(--ground); padding: .25rem .5rem; }
header { background: var(--band); border-bottom: 1px solid var(--line); padding: .75rem 1.5rem 0; }
.name { margin: 0 0 .5rem; font-weight: 600; }
.name a { color: inherit; text-decoration: none; }
.name span { font-weight: 400; color: var(--quiet); margin-left: .75rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; list-style: none; margin: 0; padding: 0; }
nav a { display: inline-block; padding: .35rem 0 .5rem; text-decoration: none; border-bottom: 3px solid transparent; }
nav a:hover { border-color: var(--line); }
nav a[aria-current] { border-color: var(--link); color: inherit; font-weight: 600; }
nav .apart { margin-left: auto; }
main { max-width: 78rem; margin: 0 auto; padding: 1rem 1.5rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .5rem 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
.quiet, .lead { color: var(--quiet); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; color: var(--quiet); padding: .25rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }
td { overflow-wrap: anywhere; min-width: 5rem; }
dl + dl { margin-top: .3rem; }
td:first-child { white-space: nowrap; }
th { font-weight: 600; white-space: nowrap; }
.number { text-align: right; padding-right: 2rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
tbody tr:hover { background: var(--band); }
dl { display: grid; grid-template-columns: minmax(10rem, 16rem) 1fr; gap: .3rem 1rem; margin: 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr)); gap: 0 3rem; }
.columns section { min-width: 0; }
.figures { display: flex; flex-wrap: wrap; gap: .75rem 2.5rem; padding: 0; list-style: none; }
.figures b { display: block; font-size: 1.35rem; font-variant-numeric: tabular-nums; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 1rem; list-style: none; padding: 0; }
.cards a { display: block; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .4rem; text-decoration: none; }
.cards a:hover { background: var(--band); }
.cards b { display: block; font-size: 1.5rem; color: var(--ink); font-variant-numeric: tabular-nums; }
form.search { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin: 0 0 1rem; }
form.search label { display: block; color: var(--quiet); font-size: .9rem; }
input, button { font: inherit; color: inherit; padding: .35rem .6rem; border: 1px solid var(--quiet); border-radius: .3rem; background: var(--ground); }
input { width: 22rem; max-width: 100%; }
button { background: var(--band); cursor: pointer; }
.pages { display: flex; gap: 1.5rem; margin-top: 1rem; }
code, pre { font: .9em/1.5 ui-monospace, "Liberation Mono", monospace; }
pre { background: var(--band); border: 1px solid var(--line); border-radius: .3rem; padding: .75rem 1rem; overflow-x: auto; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dt { margin-top: .4rem; } .columns { grid-template-columns: 1fr; } header, main { padding-left: 1rem; padding-right: 1rem; } }
`;
