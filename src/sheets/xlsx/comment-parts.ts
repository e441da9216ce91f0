/** Notes on cells: their texts, and the drawing without which Excel does not show them. */
import { xmlText } from './xml-text.ts';

export interface SheetNote {
  /** From 0. */
  readonly row: number;
  readonly column: number;
  readonly reference: string;
  readonly text: string;
}

export function commentsPart(notes: readonly SheetNote[]): string {
  const comments = notes.map(
    ({ reference, text }) =>
      `<comment ref="${reference}" authorId="0"><text><r><t xml:space="preserve">${xmlText(text)}</t></r></text></comment>`,
  );
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>Dealsheet</author></authors><commentList>${comments.join('')}</commentList></comments>`;
}

/** Excel numbers the shapes of the first drawing of a sheet from here on. */
const firstShape = 1025;
/** The box of a note, in columns and rows beside its cell. */
const boxColumns = 3;
const boxRows = 5;

export function drawingPart(notes: readonly SheetNote[]): string {
  const shapes = notes.map(
    ({ row, column }, index) =>
      `<v:shape id="_x0000_s${firstShape + index}" type="#_x0000_t202" style="position:absolute;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto"><v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/><v:textbox/><x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${column + 1}, 15, ${row}, 2, ${column + 1 + boxColumns}, 15, ${row + boxRows}, 4</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`,
  );
  return `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout><v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>${shapes.join('')}</xml>`;
}
