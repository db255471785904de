import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CLAIM_MILLIS,
  type Claims,
  claimValidation,
  releaseValidation,
} from '../../../functions/images/reviews/claim.ts';
import { decideOn, type Reviews, validationByKey } from '../../../functions/images/reviews/decide.ts';
import { ReviewRequest } from '../../../functions/images/reviews/review-request.ts';
import { livingClaim } from '../../../functions/images/validations/review.ts';
import {
  claimReview,
  decideReview,
  openReview,
  releaseReview,
  reviewById,
  reviewsOf,
} from '../../../functions/images/validations/review-items.dynamodb.ts';
import { decided, type Review, type Validation } from '../../../functions/images/validations/validation.ts';
import { changeValidation, validationById } from '../../../functions/images/validations/validation-items.dynamodb.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createImagesTable } from '../../support/cloud/local-table.ts';
import { newValidation, store } from '../../support/images/validations.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const AT = new Date(NOW).toISOString();
const UNTIL = '2026-11-15T10:40:00.000Z';
const REVIEW: Review = {
  requestedAt: AT,
  until: '2026-11-18T10:30:00.000Z',
  doubts: [{ reason: 'no-total', code: 1 }],
};
const VALID = { status: 'valid' };
const REFUSED = { outcome: 'invalid', code: 1, reason: 'Receipt cannot be read clearly' } as const;

let endpoint: LocalEndpoint;
let table: Table;
let reviews: Reviews;
let claims: Claims;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createImagesTable(endpoint, 'images');
  reviews = {
    validation: (key) => validationById(table, key),
    review: (key) => reviewById(table, key),
    decide: (validation, decision) => decideReview(table, validation, decision),
  };
  claims = {
    validation: (key) => validationByKey(reviews, key),
    claim: (key, claimed) => claimReview(table, key, claimed),
    release: (key, by) => releaseReview(table, key, by),
  };
});
afterAll(() => endpoint.close());

type Key = Pick<Validation, 'tenant' | 'id'>;
const claim = ({ tenant, id }: Key, by: string | undefined, now = NOW) =>
  claimValidation(claims, { tenant, id, by, now, ...(by !== undefined && { byName: `name of ${by}` }) });
const release = ({ tenant, id }: Key, by: string | undefined) => releaseValidation(claims, { tenant, id, by });
interface Call {
  readonly now?: number;
  readonly input?: object;
}
const decide = ({ tenant, id }: Key, by: string | undefined, { now = NOW, input = VALID }: Call = {}) =>
  decideOn(reviews, ReviewRequest.parse(input), { tenant, id, by, now });
const living = async (key: Key, now = NOW) => livingClaim(await reviewById(table, key), now);
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ status, code, detail }) => `${status} ${code}: ${detail}`,
  );
const CLAIMED = `409 claimed: name of rita is looking at the validation, until ${UNTIL}.`;

/** A pending validation, whose task waits with a token. */
async function awaiting(own: Partial<Validation> = {}): Promise<Validation> {
  const validation = await store(table, newValidation({ review: REVIEW, ...own }));
  await openReview(table, { ...validation, token: 'token-1', requestedAt: AT });
  return validation;
}

describe('a claim', () => {
  it('reserves a validation for one person for ten minutes, and changes neither the validation nor the token', async () => {
    const validation = await awaiting();
    expect(await claim(validation, 'rita')).toEqual({ by: 'rita', byName: 'name of rita', until: UNTIL });
    expect(await refusalOf(claim(validation, 'sam', NOW + CLAIM_MILLIS - 1))).toBe(CLAIMED);
    expect(await validationById(table, validation)).toEqual(validation);
    expect(await reviewById(table, validation)).toMatchObject({ token: 'token-1', requestedAt: AT });
    expect(await claim(validation, 'sam', NOW + CLAIM_MILLIS)).toMatchObject({ by: 'sam' });
  });

  it('is extended by the same person, from the time of the call', async () => {
    const validation = await awaiting();
    await claim(validation, 'rita');
    const { until } = await claim(validation, 'rita', NOW + 60_000);
    expect(until).toBe('2026-11-15T10:41:00.000Z');
    expect((await living(validation, NOW + CLAIM_MILLIS))?.until).toBe(until);
    expect(await living(validation, NOW + CLAIM_MILLIS + 60_000)).toBeUndefined();
  });

  it('is released only by the person who has it, and can be released repeatedly', async () => {
    const validation = await awaiting();
    await release(validation, 'rita');
    await claim(validation, 'rita');
    await release(validation, 'sam');
    expect(await living(validation)).toMatchObject({ by: 'rita' });
    await release(validation, 'rita');
    await release(validation, 'rita');
    expect(await living(validation)).toBeUndefined();
    expect(await claim(validation, 'sam')).toMatchObject({ by: 'sam' });
  });

  it('leaves nothing behind if no review was opened and none was claimed', async () => {
    const validation = await store(table, newValidation());
    await release(validation, 'rita');
    expect(await reviewById(table, validation)).toBeUndefined();
  });

  it('may come before the review opens, whose token is kept', async () => {
    const validation = await store(table, newValidation({ review: REVIEW }));
    await claim(validation, 'rita');
    await openReview(table, { ...validation, token: 'token-1', requestedAt: AT });
    expect(await reviewById(table, validation)).toMatchObject({ token: 'token-1', claim: { by: 'rita' } });
  });

  it('needs a validation that awaits a review, and a person', async () => {
    const unexamined = await store(table, newValidation());
    expect(await refusalOf(claim(unexamined, 'rita'))).toBe(
      '409 needs-no-review: The validation is decided, or not examined yet.',
    );
    const refused = await awaiting({ status: 'invalid' });
    expect(await refusalOf(claim(refused, 'rita'))).toBe('409 needs-no-review: The validation is invalid.');
    const waiting = await awaiting();
    for (const call of [claim, release]) {
      expect(await refusalOf(call(waiting, undefined))).toMatch(/^403 subject-required: /);
    }
    for (const key of [
      { tenant: 'other', id: waiting.id },
      { ...waiting, id: '1' },
    ]) {
      for (const call of [claim, release]) {
        expect(await refusalOf(call(key, 'rita'))).toBe('404 not-found: There is no such image validation.');
      }
    }
    for (const one of [unexamined, refused, waiting]) expect(await living(one)).toBeUndefined();
  });

  it('is refused for a validation that was decided or whose review has ended', async () => {
    const validation = await awaiting();
    await decide(validation, 'sam');
    const over = await store(table, newValidation({ review: REVIEW }));
    await openReview(table, { ...over, token: 'token-1', requestedAt: AT, isOver: true });
    for (const one of [validation, over]) {
      expect(await refusalOf(claim(one, 'rita'))).toMatch(/^409 needs-no-review: /);
      expect(await reviewById(table, one)).not.toHaveProperty('claim');
    }
  });

  it('of several people at the same time succeeds for one of them', async () => {
    for (let round = 0; round < 5; round += 1) {
      const validation = await awaiting();
      const persons = ['a', 'b', 'c', 'd', 'e'];
      const outcomes = await Promise.allSettled(persons.map((by) => claim(validation, by)));
      const made = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.by] : []));
      expect(made).toHaveLength(1);
      expect((await living(validation))?.by).toBe(made[0]);
      for (const one of outcomes) {
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 409, code: 'claimed' });
      }
    }
  });
});

describe('a decision on a claimed validation', () => {
  it('is stored for the person who has the claim, and ends it', async () => {
    const validation = await awaiting();
    await claim(validation, 'rita');
    for (const by of ['sam', undefined]) expect(await refusalOf(decide(validation, by))).toBe(CLAIMED);
    expect(await decide(validation, 'rita')).toMatchObject({ decision: { by: 'rita' } });
    expect(await reviewById(table, validation)).not.toHaveProperty('claim');
  });

  it('is open to anyone again when the claim has expired or was released', async () => {
    const [over, released] = [await awaiting(), await awaiting()];
    for (const one of [over, released]) await claim(one, 'rita');
    expect(await decide(over, 'sam', { now: NOW + CLAIM_MILLIS })).toMatchObject({ decision: { by: 'sam' } });
    await release(released, 'rita');
    expect(await decide(released, undefined)).toMatchObject({ decision: VALID });
  });

  it('is refused to others even if the claim comes between their read and their decision', async () => {
    for (const by of ['sam', undefined]) {
      const validation = await awaiting();
      let claimed = false;
      const late: Reviews = {
        ...reviews,
        async decide(record, decision) {
          if (!claimed) await claim(validation, 'rita');
          claimed = true;
          return reviews.decide(record, decision);
        },
      };
      const { tenant, id } = validation;
      const work = decideOn(late, ReviewRequest.parse(VALID), { tenant, id, by, now: NOW });
      expect(await refusalOf(work)).toBe(CLAIMED);
      expect((await reviewById(table, validation))?.decision).toBeUndefined();
    }
  });

  it('is stored once for two reviewers with the current revision, with a claim of either or of none', async () => {
    for (const claimant of ['rita', 'sam', undefined]) {
      const validation = await awaiting();
      if (claimant !== undefined) await claim(validation, claimant);
      const { revision } = validation;
      const outcomes = await Promise.allSettled([
        decide(validation, 'rita', { input: { ...VALID, revision } }),
        decide(validation, 'sam', { input: { status: 'invalid', invalidCode: 5, revision } }),
      ]);
      const made = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.decision.by] : []));
      expect(made).toEqual([claimant ?? expect.any(String)]);
      expect((await reviewById(table, validation))?.decision?.by).toBe(made[0]);
      const [refused] = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      expect(refused).toMatchObject({ status: 409, code: expect.stringMatching(/^(claimed|already-decided)$/) });
    }
  });

  it('by the service, when the review has expired, is not delayed by the claim', async () => {
    const validation = await awaiting();
    await claim(validation, 'rita');
    expect(await changeValidation(table, decided(validation, REFUSED, AT), validation)).toBe(true);
    expect(await refusalOf(decide(validation, 'rita'))).toMatch(/^409 not-pending: /);
    expect(await refusalOf(claim(validation, 'rita'))).toBe('409 needs-no-review: The validation is invalid.');
  });
});

describe('the reviews of several validations', () => {
  it('are the existing ones, by the id of their validation', async () => {
    const [first, second, none] = [await awaiting(), await awaiting(), await store(table, newValidation())];
    await claim(second, 'rita');
    const reviewsById = await reviewsOf(table, [first, second, none]);
    expect([...reviewsById.keys()].sort()).toEqual([first.id, second.id].sort());
    expect(livingClaim(reviewsById.get(second.id), NOW)?.by).toBe('rita');
    expect(await reviewsOf(table, [])).toEqual(new Map());
  });
});
