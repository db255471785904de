/** Writes the XML of answers: elements and text. */

/** Values of one name become repeated elements; undefined ones are left out. */
export type XmlContent =
  | string
  | number
  | boolean
  | { readonly [name: string]: XmlContent | readonly XmlContent[] | undefined };

export function xmlText(content: XmlContent): string {
  if (typeof content !== 'object') return escaped(String(content));
  return Object.entries(content)
    .flatMap(([name, value]) =>
      (isList(value) ? value : [value]).map((one) => (one === undefined ? '' : `<${name}>${xmlText(one)}</${name}>`)),
    )
    .join('');
}

function isList(value: XmlContent | readonly XmlContent[] | undefined): value is readonly XmlContent[] {
  return Array.isArray(value);
}

function escaped(text: string): string {
  return text.replace(/[&<>"\p{Cc}]/gu, (character) => {
    const named = ENTITIES.get(character);
    return named === undefined ? `&#${character.charCodeAt(0)};` : `&${named};`;
  });
}

export const ENTITIES = new Map([
  ['&', 'amp'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['"', 'quot'],
]);
