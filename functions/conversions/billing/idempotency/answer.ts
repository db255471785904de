/** An answer as it was given the first time. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A key that a request holds until it has its answer. */
export interface Claim {
  readonly name: string;
  readonly fingerprint: string;
  /** Names the request that holds the key. */
  readonly owner: string;
  /** Milliseconds; after this time the request is over, whatever became of it. */
  readonly until: number;
}

export type Claimed =
  | { readonly kind: 'first' }
  | { readonly kind: 'replay'; readonly answer: Answer }
  | { readonly kind: 'in-progress' | 'reused' };

export interface Answers {
  claim(claim: Claim, now: number): Promise<Claimed>;
  /** Keeps the answer for a day, unless another request holds the key by now. */
  complete(claim: Claim, answer: Answer): Promise<void>;
  /** Frees the key, so that the request may be made again. */
  release(claim: Claim): Promise<void>;
}

/** What a stored claim of the same key means. */
export function claimedBy(
  stored: { readonly fingerprint: string; readonly answer?: Answer | undefined },
  { fingerprint }: Pick<Claim, 'fingerprint'>,
): Claimed {
  if (stored.fingerprint !== fingerprint) return { kind: 'reused' };
  return stored.answer ? { kind: 'replay', answer: stored.answer } : { kind: 'in-progress' };
}
