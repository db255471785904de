/** Members of JavaScript's `JSON` that the types of TypeScript do not have yet. */
interface SourceAwareJson {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}
const json = JSON as unknown as SourceAwareJson;

/**
 * JSON whose numbers keep every digit: one that JavaScript would write differently (64-bit ids, `1.10`) becomes an object
 * that `JSON.stringify` writes as it was read.
 */
export const parseExactly = (text: string): unknown =>
  json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? json.rawJSON(source) : value,
  );

export const isExactNumber = (value: unknown): boolean => json.isRawJSON(value);

/** The digits of a number as they were read by `parseExactly`; undefined for anything else. */
export function numberText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return json.isRawJSON(value) ? (value as { readonly rawJSON: string }).rawJSON : undefined;
}
