/** Where rows stand in the grid: each can be brought in sight, however many there are and however far the browser can scroll. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Geometry, headerHeight, rowHeight } from '../../src/page/client/grid-geometry.ts';

const mostRows = 1_048_575;
const tallestElement = 8_000_000;
const size = fc.record({ width: fc.integer({ min: 300, max: 3000 }), height: fc.integer({ min: 150, max: 2000 }) });

describe('the geometry of the grid', () => {
  it('brings any cell in sight from anywhere, and stays within what a browser can draw', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: mostRows }),
        fc.integer({ min: 3, max: 200 }),
        size,
        fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (rows, columns, box, [at, side], from) => {
          const geometry = new Geometry(rows, columns, box);
          const [row, column] = [Math.floor(at * (rows - 1)), 1 + Math.floor(side * (columns - 2))];
          const furthest = Math.max(0, geometry.height - box.height);
          const scroll = geometry.bringing(row, column, { top: from * furthest, left: 0 });
          const { first, count, shift } = geometry.rowsAt(scroll);
          expect(geometry.height).toBeLessThanOrEqual(tallestElement + headerHeight);
          expect(scroll.top).toBeLessThanOrEqual(furthest + 1);
          expect(row).toBeGreaterThanOrEqual(first);
          expect(row).toBeLessThan(first + count);
          expect((row - first) * rowHeight + shift).toBeGreaterThan(-1);
          expect((row - first + 1) * rowHeight + shift).toBeLessThan(box.height - headerHeight + 1);
          expect(geometry.columnsAt(scroll)).toContain(column);
        },
      ),
    );
  });

  it('draws no more rows than are in sight', () => {
    const geometry = new Geometry(mostRows, 40, { width: 1200, height: 600 });
    const { count } = geometry.rowsAt({ top: 4_000_000, left: 0 });
    expect(count).toBeLessThanOrEqual(Math.ceil(600 / rowHeight) + 1);
    expect(geometry.columnsAt({ top: 0, left: 2000 }).length).toBeLessThan(10);
  });
});
