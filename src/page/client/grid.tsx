/** The grid. It draws only visible rows, and has Excel's keys, one tab stop, and total counts for screen readers. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CellPlace, CorrectionAsked, Filter, RowShown, SheetShown } from '../protocol.ts';
import { ask, attempt, Refusal } from './api.ts';
import { Geometry, headerHeight, numberWidth, ownColumns, rowHeight, type Size } from './grid-geometry.ts';
import {
  Detail,
  Editor,
  Find,
  headerAt,
  isMasked,
  ownCellAt,
  type Place,
  pastedCells,
  rowsBetween,
  textAt,
  useRows,
} from './grid-parts.tsx';
import { count } from './parts.tsx';

interface GridParts {
  readonly sheet: SheetShown;
  readonly filter: Filter;
  /** The person's own column to scroll to for the filter; `null` for none. */
  readonly startsAt: number | null;
  readonly version: number;
  readonly isBusy: boolean;
  readonly canEdit: boolean;
}

interface Editing extends Place {
  readonly text: string;
  readonly own: CellPlace;
  /** The text before; `null` if it was not seen. */
  readonly before: string | null;
  readonly version: number;
}

const mostCells = 5_000;
const px = (value: number) => `${value}px`;

export function Grid({ sheet, filter, startsAt, version, isBusy, canEdit }: GridParts) {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>({ width: 800, height: 420 });
  const [scroll, setScroll] = useState({ top: 0, left: 0 });
  const [active, setActive] = useLatest<Place>({ row: 0, column: 0 });
  const [anchor, setAnchor] = useState<Place>({ row: 0, column: 0 });
  const [editing, setEditing] = useLatest<Editing | null>(null);
  const [total, setTotal] = useState(sheet.rows);
  const columns = ownColumns + sheet.headers.length;
  const geometry = new Geometry(total, columns, size);
  const { first, count: inSight, shift } = geometry.rowsAt(scroll);
  const rows = useRows(sheet.name, filter, isBusy ? null : version, first, inSight);
  useEffect(() => setTotal(rows.total), [rows.total]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const start = { row: 0, column: startsAt === null ? 0 : ownColumns + startsAt };
    const to = geometry.bringing(start.row, Math.max(1, start.column), { top: 0, left: 0 });
    setScroll(to);
    box.current?.scrollTo(to.left, to.top);
    setActive(start);
    setAnchor(start);
    take();
  }, [sheet.name, JSON.stringify(filter)]);

  const pick = (row: number, column: number, isExtending = false) => {
    const place = { row: within(row, total), column: within(column, columns) };
    setActive(place);
    if (!isExtending) setAnchor(place);
  };
  const bring = (row: number, column: number) => {
    const to = geometry.bringing(within(row, total), within(column, columns), scroll);
    setScroll(to);
    box.current?.scrollTo(to.left, to.top);
  };
  const go = (row: number, column: number, isExtending = false) => {
    pick(row, column, isExtending);
    // Column 1 is the first that scrolls, next to the frozen one.
    bring(row, Math.max(1, column));
  };
  const cellOf = (place: Place) => textAt(rows.at(place.row), place.column);

  const edit = async (typed?: string) => {
    const place = active.current;
    const own = ownCellAt(sheet, rows, place);
    if (!canEdit || own === null) return;
    const shown = isMasked(sheet, place.column, cellOf(place)) ? null : cellOf(place);
    const before = shown ?? (typed === undefined ? await ask('reveal', own) : null);
    // Meanwhile the person may have moved, or begun to type.
    if (active.current !== place || editing.current !== null) return;
    setEditing({ ...place, own, before, text: typed ?? before ?? '', version });
    bring(place.row, place.column);
  };
  /** Changes all of these cells or none, because a cell outside the grid would silently be skipped. */
  const fill = (cells: readonly (Place & { readonly to: string })[]) =>
    attempt(async () => {
      const own = cells.filter(({ column }) => column >= ownColumns);
      const bottom = own.at(-1)?.row ?? -1;
      const remedy = 'Nothing was changed. Take fewer cells.';
      if (bottom >= total || own.some(({ column }) => column >= columns))
        throw new Refusal({ message: 'There are not as many rows or columns here.', remedy });
      if (own.length > mostCells)
        throw new Refusal({ message: `At most ${count(mostCells)} cells are changed at once.`, remedy });
      const top = own[0]?.row ?? 0;
      const here = await rowsBetween(sheet.name, filter, top, bottom);
      const changes = own.flatMap(({ row, column, to }) => {
        const shown = here[row - top];
        const text = textAt(shown, column);
        if (shown === undefined || (text === to && !isMasked(sheet, column, text))) return [];
        return [{ sheet: sheet.name, row: shown.row, column: column - ownColumns, to }];
      });
      if (changes.length > 0) await ask('correct', { changes }, version);
    });
  const take = () => {
    const open = editing.current;
    if (open === null) return;
    setEditing(null);
    const changes: readonly CorrectionAsked[] = [{ ...open.own, to: open.text }];
    if (open.text !== open.before) void attempt(() => ask('correct', { changes }, open.version));
  };
  useEffect(() => {
    // Not on blur: an editor whose cell is drawn in another place loses the focus, too.
    const leave = ({ target }: Event) => (target as Element).closest?.('.editor') ?? take();
    const ways = ['mousedown', 'focusin', 'click'] as const;
    for (const way of ways) document.addEventListener(way, leave, true);
    return () => {
      for (const way of ways) document.removeEventListener(way, leave, true);
      take();
    };
  }, []);
  const commit = (down: number, right: number) => {
    const { row, column } = editing.current ?? active.current;
    take();
    box.current?.focus();
    go(row + down, column + right);
  };
  const block = () => ({
    top: Math.min(active.current.row, anchor.row),
    bottom: Math.max(active.current.row, anchor.row),
    left: Math.min(active.current.column, anchor.column),
    right: Math.max(active.current.column, anchor.column),
  });
  const onCopy = (event: ClipboardEvent) => {
    if (editing.current !== null) return;
    const { top, bottom, left, right } = block();
    event.preventDefault();
    void attempt(async () => {
      if (range(top, bottom).some((row) => rows.at(row) === undefined))
        throw new Refusal({ message: 'Only rows that have been shown can be copied.', remedy: 'Select fewer.' });
      const lines = range(top, bottom).map((row) => range(left, right).map((column) => cellOf({ row, column })));
      event.clipboardData?.setData('text/plain', lines.map((line) => line.join('\t')).join('\n'));
    });
  };
  const onPaste = (event: ClipboardEvent) => {
    if (editing.current !== null || !canEdit) return;
    event.preventDefault();
    const { row, column } = active.current;
    const lines = pastedCells(event.clipboardData?.getData('text/plain') ?? '');
    void fill(
      lines.flatMap((line, down) => line.map((to, right) => ({ row: row + down, column: column + right, to }))),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    const open = editing.current;
    if (open !== null) {
      // Keys typed before the editor has the focus belong to it.
      if (isText) setEditing({ ...open, text: open.text + event.key });
      return;
    }
    const { row, column } = active.current;
    const isFar = event.ctrlKey || event.metaKey;
    const [lastRow, lastColumn] = [total - 1, columns - 1];
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowUp: [isFar ? 0 : row - 1, column],
      ArrowDown: [isFar ? lastRow : row + 1, column],
      ArrowLeft: [row, isFar ? 0 : column - 1],
      ArrowRight: [row, isFar ? lastColumn : column + 1],
      Home: [isFar ? 0 : row, 0],
      End: [isFar ? lastRow : row, lastColumn],
      PageUp: [row - geometry.rowsOfPage, column],
      PageDown: [row + geometry.rowsOfPage, column],
    };
    const move = moves[event.key];
    if (move !== undefined) go(move[0], move[1], event.shiftKey);
    else if (event.key === 'Enter' || event.key === 'F2') void attempt(edit);
    else if (event.key === 'Escape') setAnchor(active.current);
    else if (event.key === 'Delete' && canEdit) void fill(cleared());
    else if (isFar && event.key === 'z' && canEdit) void attempt(() => ask('undo', { at: -1 }));
    else if (isText && event.key !== ' ' && canEdit && column >= ownColumns) void edit(event.key);
    else return;
    event.preventDefault();
  };
  const cleared = () => {
    const { top, bottom, left, right } = block();
    return range(top, bottom).flatMap((row) => range(left, right).map((column) => ({ row, column, to: '' })));
  };
  const here = active.current;
  const activeId = `cell-${here.row}-${here.column}`;
  const selected = block();
  const visible = [0, ...geometry.columnsAt(scroll)];
  return (
    <>
      <Find sheet={sheet.name} filter={filter} from={here.row + 1} onFound={(row) => go(row, active.current.column)} />
      <div
        ref={box}
        class="grid"
        role="grid"
        aria-label={`Rows of ${sheet.name}`}
        aria-rowcount={total + 1}
        aria-colcount={columns + 1}
        aria-activedescendant={
          here.row >= first && here.row < first + inSight && visible.includes(here.column) ? activeId : undefined
        }
        aria-busy={isBusy}
        aria-multiselectable="true"
        aria-readonly={!canEdit}
        tabIndex={0}
        onScroll={({ currentTarget }) => setScroll({ top: currentTarget.scrollTop, left: currentTarget.scrollLeft })}
        onKeyDown={onKeyDown}
        onCopy={onCopy}
        onPaste={onPaste}
      >
        <div class="space" role="presentation" style={{ height: px(geometry.height), width: px(geometry.width) }}>
          <div class="layer" role="presentation" style={{ width: px(size.width), height: px(size.height) }}>
            <div class="line head" role="row" aria-rowindex={1} style={{ height: px(headerHeight) }}>
              <span
                class="cell frozen"
                role="columnheader"
                aria-colindex={1}
                style={{ left: '0', width: px(numberWidth) }}
              >
                Row
              </span>
              {visible.map((column) => (
                <span
                  key={column}
                  class={column === 0 ? 'cell frozen' : 'cell'}
                  role="columnheader"
                  aria-colindex={column + 2}
                  style={styleOf(geometry.place(column, scroll))}
                >
                  {headerAt(sheet, column)}
                </span>
              ))}
            </div>
            {range(first, first + inSight - 1).map((row) => (
              <div
                key={row}
                class="line"
                role="row"
                aria-rowindex={row + 2}
                style={{ top: px(headerHeight + (row - first) * rowHeight + shift), height: px(rowHeight) }}
              >
                <span
                  class="cell frozen"
                  role="rowheader"
                  aria-colindex={1}
                  style={{ left: '0', width: px(numberWidth) }}
                >
                  {rows.at(row)?.row ?? '…'}
                </span>
                {visible.map((column) => {
                  const shown = rows.at(row);
                  const mark = markAt(shown, column);
                  const isActive = here.row === row && here.column === column;
                  const state = column === 0 && `frozen state ${shown?.state ?? ''}`;
                  const isSelected =
                    row >= selected.top &&
                    row <= selected.bottom &&
                    column >= selected.left &&
                    column <= selected.right;
                  return (
                    <span
                      key={column}
                      id={`cell-${row}-${column}`}
                      class={['cell', state, mark?.severity, isSelected && 'selected', isActive && 'active']
                        .filter(Boolean)
                        .join(' ')}
                      role="gridcell"
                      aria-colindex={column + 2}
                      aria-selected={isSelected}
                      aria-invalid={mark?.severity === 'error' ? true : undefined}
                      style={styleOf(geometry.place(column, scroll))}
                      onMouseDown={(event) => {
                        // No scrolling here: a cell that moves could not be double-clicked.
                        pick(row, column, event.shiftKey);
                      }}
                      onDblClick={() => void attempt(edit)}
                    >
                      {mark !== undefined && <b class="sign">{mark.severity === 'error' ? '✕' : '!'}</b>}
                      {textAt(shown, column)}
                      {editing.current !== null && isActive && (
                        <Editor
                          text={editing.current.text}
                          label={headerAt(sheet, column)}
                          choices={sheet.choices[column - ownColumns] ?? []}
                          onText={(text) => editing.current !== null && setEditing({ ...editing.current, text })}
                          onCommit={commit}
                          onLeave={() => {
                            setEditing(null);
                            box.current?.focus();
                          }}
                        />
                      )}
                    </span>
                  );
                })}
              </div>
            ))}
          </div>
        </div>
      </div>
      <Detail sheet={sheet} total={total} place={here} rows={rows} onEdit={canEdit ? () => edit() : null} />
    </>
  );
}

/** State that handlers read at its latest value, because keys may come faster than renders. */
function useLatest<Value>(first: Value): readonly [{ readonly current: Value }, (value: Value) => void] {
  const latest = useRef(first);
  const [, draw] = useState(0);
  const set = (value: Value) => {
    latest.current = value;
    draw((drawn) => drawn + 1);
  };
  return [latest, set];
}

function within(value: number, end: number): number {
  return Math.max(0, Math.min(end - 1, value));
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

function styleOf({ left, width }: { readonly left: number; readonly width: number }) {
  return { left: px(left), width: px(width) };
}

function markAt(row: RowShown | undefined, column: number) {
  const marks = row?.marks.filter((mark) => mark.column === column - ownColumns) ?? [];
  return marks.find(({ severity }) => severity === 'error') ?? marks[0];
}
