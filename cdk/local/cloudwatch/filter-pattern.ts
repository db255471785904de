/** The patterns of metric filters that the service uses: fields of a JSON line that equal a text, or do not. */

type Matches = (line: Readonly<Record<string, unknown>>) => boolean;

const TERM = /^\(?\s*\$((?:\.\w+)+)\s*(!?=)\s*"([^"*]*)"\s*\)?$/;

/** @param text `{ ($.type = "…") && ($.record.status != "…") }` */
export function parsePattern(text: string): Matches {
  const inner = /^\{(.*)\}$/s.exec(text.trim())?.[1];
  const terms = inner?.split('&&').map((term) => parsedTerm(term.trim()));
  if (!terms?.every((term) => term !== undefined)) {
    throw new Error(
      `The local cloud cannot evaluate the filter pattern "${text}". It has fields that are, or are not, a text, joined by &&.`,
    );
  }
  return (line) => terms.every((term) => term(line));
}

function parsedTerm(text: string): Matches | undefined {
  const [, path, operator, operand] = TERM.exec(text) ?? [];
  if (path === undefined) return undefined;
  const names = path.slice(1).split('.');
  return (line) => {
    const value = names.reduce<unknown>((one, name) => (isObject(one) ? one[name] : undefined), line);
    // A field that is missing, or is an object, matches no comparison.
    return isScalar(value) && (operator === '=') === (String(value) === operand);
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);
