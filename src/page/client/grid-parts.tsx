/** What belongs to the grid beside its cells: finding a row, the editor of a cell, and all that there is to know of one. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CellPlace, Filter, RowShown, SheetShown } from '../protocol.ts';
import { ask } from './api.ts';
import { ownColumns } from './grid-geometry.ts';
import { count, Field, Form, Press } from './parts.tsx';
import type { Rows } from './row-cache.ts';

export interface Place {
  readonly row: number;
  readonly column: number;
}

/** What the server calls a cell of the person's own; `null` for a cell of ours, or of a row that is not here yet. */
export function ownCellAt(sheet: SheetShown, rows: Rows, { row, column }: Place): CellPlace | null {
  const shown = rows.at(row);
  if (shown === undefined || column < ownColumns) return null;
  return { sheet: sheet.name, row: shown.row, column: column - ownColumns };
}

/** Whether the server has shown stars in place of what a cell holds. */
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
  readonly onCommit: (down: number, right: number) => Promise<void>;
  readonly onLeave: () => void;
}

export function Editor({ text, label, choices, onText, onCommit, onLeave }: EditorParts) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <input
        ref={input}
        class="editor"
        aria-label={label}
        value={text}
        list={choices.length > 0 ? 'allowed' : undefined}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter') void onCommit(event.shiftKey ? -1 : 1, 0);
          else if (event.key === 'Tab') void onCommit(0, event.shiftKey ? -1 : 1);
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

/** A browser finds only what is drawn. */
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

/** All that there is to know of the active cell: long texts, what is wrong with it, and what is masked once it is asked for. */
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
