/** How far the text itself, or what the caller said about it, settles the reading. */
export type Confidence = 'high' | 'medium' | 'low';

/** What a text turned out to mean, or why that cannot be told. */
export type Reading<T> =
  | { readonly kind: 'read'; readonly value: T; readonly confidence: Confidence }
  | { readonly kind: 'ambiguous'; readonly detail: string; readonly candidates: readonly string[] }
  | { readonly kind: 'unreadable'; readonly detail: string };

export const read = <T>(value: T, confidence: Confidence = 'high'): Reading<T> => ({ kind: 'read', value, confidence });

export const ambiguous = (detail: string, candidates: readonly string[]): Reading<never> => ({
  kind: 'ambiguous',
  detail,
  candidates,
});

export const unreadable = (detail: string): Reading<never> => ({ kind: 'unreadable', detail });

/** A caller's text as it may stand in a sentence. */
export const quoted = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
