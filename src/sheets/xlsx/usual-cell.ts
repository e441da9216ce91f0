/** What stands in a cell as spreadsheet programs write it. */

const usualContents = new Map<string, RegExp>();

/** A formula, a value and a text in line, each or none, and nothing else: a tag that ends otherwise than usual would swallow the next cell. */
export function usualContent(prefix: string): RegExp {
  let usual = usualContents.get(prefix);
  if (usual === undefined) {
    const element = (name: string) => `<${prefix}${name}(?:\\s[^<>]*)?(?:/>|>[^<]*</${prefix}${name}>)`;
    const inline = `<${prefix}is>[^<]*(?:<(?!/${prefix}is>)[^<]*)*</${prefix}is>|<${prefix}is/>`;
    const content = [element('f'), element('v'), inline].map((one) => `(?:(?:${one})\\s*)?`).join('');
    usual = new RegExp(`^\\s*${content}$`);
    usualContents.set(prefix, usual);
  }
  return usual;
}
