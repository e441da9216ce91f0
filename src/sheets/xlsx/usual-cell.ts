/** What stands in a cell as spreadsheet programs write it. */

const usualContents = new Map<string, RegExp>();

/** A formula or none, a value or none, and nothing else: a tag that ends otherwise than usual would swallow the next cell. */
export function usualContent(prefix: string): RegExp {
  let usual = usualContents.get(prefix);
  if (usual === undefined) {
    const element = (name: string) => `<${prefix}${name}(?:\\s[^<>]*)?(?:/>|>[^<]*</${prefix}${name}>)`;
    const value = `${element('v')}|<${prefix}is>[^<]*(?:<(?!/${prefix}is>)[^<]*)*</${prefix}is>|<${prefix}is/>`;
    usual = new RegExp(`^\\s*(?:${element('f')})?\\s*(?:${value})?\\s*$`, 's');
    usualContents.set(prefix, usual);
  }
  return usual;
}
