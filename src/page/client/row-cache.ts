/** The rows that the grid has seen, a page at a time; those of before stay in sight until they are told again. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Filter, RowShown } from '../protocol.ts';
import { ask } from './api.ts';

const rowsOfPage = 100;
const mostPages = 60;

interface Page {
  readonly version: string;
  readonly rows: readonly RowShown[];
}

export interface Rows {
  readonly total: number;
  at(row: number): RowShown | undefined;
}

/**
 * @param version  another one says that rows may say something else; `null` while there are none to ask for
 * @param first  the first row in sight, and how many there are
 */
export function useRows(sheet: string, filter: Filter, version: string | null, first: number, count: number): Rows {
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
        // The file was left meanwhile: the next version asks once more.
        .catch(() => {})
        .finally(() => asking.current.delete(key));
    }
  }, [subject, version, first, count]);
  return {
    total,
    at: (row) => pages.current.get(Math.floor(row / rowsOfPage))?.rows[row % rowsOfPage],
  };
}
