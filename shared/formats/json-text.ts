/** The value of a JSON text; undefined if the text is not JSON, or is nested too deep for the parser. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
