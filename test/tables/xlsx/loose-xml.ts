/**
 * XML as the standard lets anyone write it: attributes in any order and quote, blanks wherever they are allowed, references for
 * any character, CDATA, comments and instructions with decoys in them. What it means is always the same.
 */

/** A whole number from 0 on, below the one given. */
export type Draw = (below: number) => number;

/** The same numbers for the same seed. */
export function drawOf(seed: number): Draw {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

export interface LooseElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly children?: readonly (LooseElement | string)[];
}

/** How far the writing goes from what spreadsheet programs write. */
export interface Looseness {
  /** Quotes, blanks, order of attributes, references, in a hundred. */
  readonly blanks: number;
  /** Comments, CDATA and instructions, in a hundred. */
  readonly asides: number;
  /** Prefixes of the one namespace: each element takes any of them. */
  readonly prefixes: readonly string[];
}

export class LooseWriter {
  readonly #draw: Draw;
  readonly #looseness: Looseness;

  constructor(draw: Draw, looseness: Looseness) {
    this.#draw = draw;
    this.#looseness = looseness;
  }

  element({ name, attributes = {}, children = [] }: LooseElement): string {
    const tag = /^\w+:/.test(name) ? name : this.#oneOf(this.#looseness.prefixes) + name;
    const written = this.#inAnyOrder(Object.entries(attributes)).map(([key, value]) => this.#attribute(key, value));
    const head = `<${tag}${written.join('')}${this.#blank()}`;
    if (children.length === 0 && this.#oneIn(2)) return `${head}/>`;
    const holdsText = children.some((child) => typeof child === 'string');
    const between = () => (holdsText ? '' : this.#space()) + this.#aside();
    const inside = children.map(
      (child) => between() + (typeof child === 'string' ? this.text(child) : this.element(child)),
    );
    return `${head}>${inside.join('')}${between()}</${tag}${this.#blank()}>`;
  }

  /** A text, each character as itself, as a reference or in CDATA, with asides in between. */
  text(text: string): string {
    let xml = '';
    for (const character of text) {
      const isApart = character !== '\r' && this.#chance(this.#looseness.asides);
      xml += isApart ? `<![CDATA[${character}]]>` : this.#character(character, '<&\r>');
      if (this.#chance(this.#looseness.asides / 3)) xml += this.#aside();
    }
    return xml;
  }

  #attribute(name: string, value: string): string {
    const isLoose = this.#chance(this.#looseness.blanks);
    const quote = isLoose ? this.#oneOf(['"', "'"]) : '"';
    const always = `<&\r\n\t${quote}`;
    const text = [...value].map((character) => this.#character(character, isLoose ? always : `${always}>`)).join('');
    const before = isLoose ? this.#oneOf([' ', '\n', '\t', '  ', '\r\n']) : ' ';
    const equals = isLoose ? this.#oneOf(['=', ' =', '= ', '\n=\n']) : '=';
    return `${before}${name}${equals}${quote}${text}${quote}`;
  }

  /** @param mustEscape  the characters that cannot stand for themselves here */
  #character(character: string, mustEscape: string): string {
    if (!mustEscape.includes(character) && !this.#chance(this.#looseness.blanks / 4)) return character;
    const code = character.codePointAt(0) ?? 0;
    const named = { '<': '&lt;', '&': '&amp;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }[character];
    const references = [`&#${code};`, `&#x${code.toString(16)};`, `&#x00${code.toString(16).toUpperCase()};`];
    return this.#oneOf(named === undefined ? references : [named, named, ...references]);
  }

  /** A comment or an instruction that looks like content. */
  #aside(): string {
    if (!this.#chance(this.#looseness.asides)) return '';
    const decoy = this.#oneOf([
      ...['', ' note ', '<row r="1"><c r="A1"><v>666</v></c></row>', '</c></row></sheetData></worksheet>'],
      ...['<v>13</v>', '<t>decoy</t>', '</t>'],
      ...['</v>', '</si><si><t>decoy</t></si>', '<mergeCell ref="A1:Z9"/>'],
    ]);
    return this.#oneIn(2) ? `<!--${decoy}-->` : `<?aside ${decoy}?>`;
  }

  #blank(): string {
    return this.#chance(this.#looseness.blanks) ? this.#oneOf([' ', '\n', '\t', '\r\n  ']) : '';
  }

  #space(): string {
    return this.#chance(this.#looseness.blanks) ? this.#oneOf([' ', '\n', '\r\n\t']) : '';
  }

  #inAnyOrder<Value>(values: readonly Value[]): readonly Value[] {
    if (!this.#chance(this.#looseness.blanks)) return values;
    const places = values.map((value) => ({ value, place: this.#draw(1_000_000) }));
    return places.sort((one, other) => one.place - other.place).map(({ value }) => value);
  }

  #chance(inAHundred: number): boolean {
    return inAHundred > 0 && this.#draw(100) < inAHundred;
  }

  #oneIn(count: number): boolean {
    return this.#draw(count) === 0;
  }

  #oneOf<Value>(values: readonly Value[]): Value {
    return values[this.#draw(values.length)] as Value;
  }
}
