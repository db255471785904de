/** Prefix of the partition keys of stored answers. */
export const ANSWER = 'ANSWER#';
export type AnswerKey = typeof ANSWER;

/** The first answer to a request with an idempotency key. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A key that a request holds until it has its answer. */
export interface Claim {
  readonly name: string;
  readonly fingerprint: string;
  /** The id of the request that holds the key. */
  readonly owner: string;
  /** Milliseconds; after this time the request is over, whatever its outcome. */
  readonly until: number;
}

export type ClaimResult =
  | { readonly kind: 'first' }
  | { readonly kind: 'replay'; readonly answer: Answer }
  | { readonly kind: 'in-progress' | 'reused' };

export interface Answers {
  claim(claim: Claim, now: number): Promise<ClaimResult>;
  /** Stores the answer for a day, unless another request has claimed the key meanwhile. */
  complete(claim: Claim, answer: Answer): Promise<void>;
  /** Releases the key, so that the request can be made again. */
  release(claim: Claim): Promise<void>;
}

/** Interprets the stored claim of a key. A different fingerprint means that the key was reused with another body. */
export function claimedBy(
  stored: { readonly fingerprint: string; readonly answer?: Answer | undefined },
  { fingerprint }: Pick<Claim, 'fingerprint'>,
): ClaimResult {
  if (stored.fingerprint !== fingerprint) return { kind: 'reused' };
  return stored.answer ? { kind: 'replay', answer: stored.answer } : { kind: 'in-progress' };
}
