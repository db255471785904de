/** The certainty of a reading: how far the text itself, or the caller's options, determine it. */
export type Confidence = 'high' | 'medium' | 'low';

/** The result of reading a text: its value, or the reason why it cannot be read. */
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
