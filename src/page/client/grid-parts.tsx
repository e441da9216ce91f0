/** The parts of the grid beside its cells: loaded rows, the search, the cell editor, and the details of a cell. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CellPlace, Filter, RowShown, SheetShown } from '../protocol.ts';
import { ask } from './api.ts';
import { ownColumns } from './grid-geometry.ts';
import { count, Field, Form, Press } from './parts.tsx';

export interface Place {
  readonly row: number;
  readonly column: number;
}

/** The server's place of a person's own cell; `null` for Dealsheet's own columns or a row that is not loaded. */
export function ownCellAt(sheet: SheetShown, rows: Rows, { row, column }: Place): CellPlace | null {
  const shown = rows.at(row);
  if (shown === undefined || column < ownColumns) return null;
  return { sheet: sheet.name, row: shown.row, column: column - ownColumns };
}

export function isMasked(sheet: SheetShown, column: number, text: string): boolean {
  return sheet.hidden.includes(column - ownColumns) || /\*{2,}/.test(text);
}

export function headerAt(sheet: SheetShown, column: number): string {
  return column === 0 ? 'Status' : column === 1 ? 'Problems' : (sheet.headers[column - ownColumns] ?? '');
}

export function textAt(row: RowShown | undefined, column: number): string {
  if (row === undefined) return '…';
  return column === 0 ? row.status : column === 1 ? row.problems.join(' ') : (row.cells[column - ownColumns] ?? '');
}
interface EditorParts {
  readonly text: string;
  readonly label: string;
  readonly choices: readonly string[];
  readonly onText: (text: string) => void;
  readonly onCommit: (down: number, right: number) => void;
  readonly onLeave: () => void;
}

export function Editor({ text, label, choices, onText, onCommit, onLeave }: EditorParts) {
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useLayoutEffect(() => input.current?.focus({ preventScroll: true }), []);
  // An input of one line would drop line breaks.
  const [Input] = useState<'input' | 'textarea'>(text.includes('\n') ? 'textarea' : 'input');
  return (
    <>
      <Input
        ref={input}
        class="editor"
        aria-label={label}
        value={text}
        list={choices.length > 0 ? 'allowed' : undefined}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter') onCommit(event.shiftKey ? -1 : 1, 0);
          else if (event.key === 'Tab') onCommit(0, event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') onLeave();
          else return;
          event.preventDefault();
        }}
        onMouseDown={(event) => event.stopPropagation()}
      />
      {choices.length > 0 && (
        <datalist id="allowed">
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
    </>
  );
}

interface FindParts {
  readonly sheet: string;
  readonly filter: Filter;
  readonly from: number;
  readonly onFound: (row: number) => void;
}

/** The browser's own search finds only what is drawn. */
export function Find({ sheet, filter, from, onFound }: FindParts) {
  const [text, setText] = useState('');
  const [notes, setNotes] = useState('');
  const find = async () => {
    const at =
      (await ask('find', { sheet, text, from, filter })) ?? (await ask('find', { sheet, text, from: 0, filter }));
    setNotes(at === null ? 'Not found.' : '');
    if (at !== null) onFound(at);
  };
  return (
    <Form class="bar" onSend={find}>
      <Field label="Find" value={text} onText={setText} />
      <button type="submit">Next</button>
      <span role="status">{notes}</span>
    </Form>
  );
}

interface DetailParts {
  readonly sheet: SheetShown;
  readonly total: number;
  readonly place: Place;
  readonly rows: Rows;
  readonly onEdit: (() => Promise<void>) | null;
}

/** The details of the active cell: the full text, its problems, and the masked value on request. */
export function Detail({ sheet, total, place, rows, onEdit }: DetailParts) {
  const [clear, setClear] = useState<{ readonly key: string; readonly text: string } | null>(null);
  const { row, column } = place;
  const shown = rows.at(row);
  if (shown === undefined) return <p class="detail">{total === 0 ? 'There are no such rows.' : ''}</p>;
  const own = ownCellAt(sheet, rows, place);
  const key = `${sheet.name} ${shown.row} ${column}`;
  const marks = shown.marks.filter((mark) => mark.column === column - ownColumns);
  return (
    <div class="detail">
      <div aria-live="polite">
        <p>
          Row {shown.row} ({count(row + 1)} of {count(total)}) · {headerAt(sheet, column)}:{' '}
          <strong>{clear?.key === key ? clear.text : textAt(shown, column)}</strong>
        </p>
        {marks.map(({ text, severity }) => (
          <p key={text} class={severity}>
            {severity === 'error' ? 'Error' : 'Note'}: {text}
          </p>
        ))}
        {marks.length === 0 && column !== 1 && shown.problems.map((problem) => <p key={problem}>{problem}</p>)}
      </div>
      <p class="bar">
        {own !== null && isMasked(sheet, column, textAt(shown, column)) && (
          <Press onPress={async () => setClear({ key, text: await ask('reveal', own) })}>Show this cell</Press>
        )}
        {own !== null && onEdit !== null && <Press onPress={onEdit}>Edit</Press>}
        {shown.link !== null && (
          <a href={shown.link} target="_blank" rel="noopener noreferrer">
            Open the record{shown.id === null ? '' : ` ${shown.id}`}
          </a>
        )}
      </p>
    </div>
  );
}

const rowsOfPage = 100;
const mostPages = 60;

interface Page {
  readonly version: number;
  readonly rows: readonly RowShown[];
}

export interface Rows {
  readonly total: number;
  at(row: number): RowShown | undefined;
}

/** Parses cells as a spreadsheet program copies them. A cell with a line break or a tab is in quotes. */
export function pastedCells(text: string): readonly (readonly string[])[] {
  const lines: string[][] = [[]];
  const cells = /(?:"((?:[^"]|"")*)"|([^\t\n]*?))(\t|\r?\n|$)/g;
  for (const [, quoted, plain = '', next] of text.replace(/\r?\n$/, '').matchAll(cells)) {
    const isWrapped = quoted !== undefined && /[\t\n]/.test(quoted);
    lines.at(-1)?.push(isWrapped ? quoted.replaceAll('""', '"') : quoted === undefined ? plain : `"${quoted}"`);
    if (next === '') break;
    if (next !== '\t') lines.push([]);
  }
  return lines;
}

/** Rows from first to last, including those that were never visible. */
export async function rowsBetween(
  sheet: string,
  filter: Filter,
  first: number,
  last: number,
): Promise<readonly RowShown[]> {
  const found: RowShown[] = [];
  for (let from = first; from <= last; from += rowsOfPage)
    found.push(...(await ask('rows', { sheet, from, count: Math.min(rowsOfPage, last - from + 1), filter })).rows);
  return found;
}

/**
 * @param version the state; a change means that rows may have changed; `null` while none can be requested
 * @param first the first visible row; `count` is the number of visible rows
 */
export function useRows(sheet: string, filter: Filter, version: number | null, first: number, count: number): Rows {
  const pages = useRef(new Map<number, Page>());
  const asking = useRef(new Set<string>());
  const [total, setTotal] = useState(0);
  const [, setDrawn] = useState(0);
  const subject = JSON.stringify([sheet, filter]);
  const current = useRef(subject);
  if (current.current !== subject) {
    current.current = subject;
    pages.current = new Map();
  }
  useEffect(() => {
    if (version === null) return;
    const last = Math.max(first, first + count - 1);
    for (let page = Math.floor(first / rowsOfPage); page <= Math.floor(last / rowsOfPage); page += 1) {
      const key = `${subject} ${version} ${page}`;
      if (pages.current.get(page)?.version === version || asking.current.has(key)) continue;
      asking.current.add(key);
      void ask('rows', { sheet, from: page * rowsOfPage, count: rowsOfPage, filter })
        .then((window) => {
          if (current.current !== subject) return;
          if (pages.current.size > mostPages) pages.current.clear();
          pages.current.set(page, { version, rows: window.rows });
          setTotal(window.total);
          setDrawn((drawn) => drawn + 1);
        })
        // The file was closed meanwhile. The next version asks again.
        .catch(() => {})
        .finally(() => asking.current.delete(key));
    }
  }, [subject, version, first, count]);
  return {
    total,
    at: (row) => pages.current.get(Math.floor(row / rowsOfPage))?.rows[row % rowsOfPage],
  };
}
