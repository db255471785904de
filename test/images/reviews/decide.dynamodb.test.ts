import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideOn, type Reviews } from '../../../functions/images/reviews/decide.ts';
import { ReviewRequest } from '../../../functions/images/reviews/review-request.ts';
import { decideReview, openReview, reviewById } from '../../../functions/images/validations/review-items.dynamodb.ts';
import { decided, type Review, type Validation, withReview } from '../../../functions/images/validations/validation.ts';
import { changeValidation, validationById } from '../../../functions/images/validations/validation-items.dynamodb.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createImagesTable } from '../../support/cloud/local-table.ts';
import { Killed, Mortality } from '../../support/faults/mortal-clients.ts';
import { newValidation, store } from '../../support/images/validations.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const AT = new Date(NOW).toISOString();
const REVIEW: Review = {
  requestedAt: AT,
  until: '2026-11-18T10:30:00.000Z',
  doubts: [{ reason: 'no-total', code: 1 }],
};
const VALID = { status: 'valid', storeName: 'Walmart', results: [{ name: 'Tea', price: '3.50', points: 5 }] };
const INVALID = { status: 'invalid', invalidCode: 5 };

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createImagesTable(endpoint, 'images');
});
afterAll(() => endpoint.close());

const reviewsIn = (on: Table): Reviews => ({
  validation: (key) => validationById(on, key),
  review: (key) => reviewById(on, key),
  decide: (validation, decision) => decideReview(on, validation, decision),
});

interface Call {
  readonly by?: string;
  readonly now?: number;
  readonly reviews?: Reviews;
}
const decide = (
  { tenant, id }: Pick<Validation, 'tenant' | 'id'>,
  input: object,
  { by = 'rita', now = NOW, reviews = reviewsIn(table) }: Call = {},
) => decideOn(reviews, ReviewRequest.parse(input), { tenant, id, by, now });
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ status, code, detail }) => `${status} ${code}: ${detail}`,
  );
const decisionOf = async (key: Validation) => (await reviewById(table, key))?.decision;

/** A pending validation, whose task waits with a token. */
async function awaiting(own: Partial<Validation> = {}): Promise<Validation> {
  const validation = await store(table, newValidation({ ...own, revision: 2, review: REVIEW }));
  await openReview(table, { ...validation, token: 'token-1', requestedAt: AT });
  return validation;
}

async function changed(before: Validation, after: Validation): Promise<Validation> {
  expect(await changeValidation(table, after, before)).toBe(true);
  return after;
}

describe('the decision of a reviewer', () => {
  it('is stored beside the validation, with author and time; the validation gets a new revision, and the token stays', async () => {
    const validation = await awaiting();
    const answer = await decide(validation, { ...VALID, revision: 2 }, { now: NOW + 5_000 });
    const decision = {
      status: 'valid',
      storeName: 'Walmart',
      results: [{ name: 'Tea', description: '', price: 350, quantity: 1, points: 5 }],
      by: 'rita',
      at: '2026-11-15T10:30:05.000Z',
    };
    const after = { ...validation, revision: 3 };
    expect(answer).toEqual({ validation: after, decision });
    const { tenant, id } = validation;
    expect(await reviewById(table, validation)).toEqual({
      tenant,
      id,
      token: 'token-1',
      requestedAt: AT,
      decision,
    });
    expect(await validationById(table, validation)).toEqual(after);
  });

  it('may come before the service has decided, and is applied when the task opens', async () => {
    const validation = await store(table, newValidation());
    await decide(validation, INVALID, { now: NOW + 1 });
    const before = await reviewById(table, validation);
    expect(before).toMatchObject({ requestedAt: new Date(NOW + 1).toISOString(), decision: { invalidCode: 5 } });
    expect(before).not.toHaveProperty('token');
    const opened = await openReview(table, { ...validation, token: 'token-1', requestedAt: AT });
    expect(opened).toEqual({ ...before, token: 'token-1', requestedAt: AT });
  });

  it('needs no author, as for an operator whose token has none', async () => {
    const validation = await awaiting();
    const { decision } = await decideOn(reviewsIn(table), ReviewRequest.parse(INVALID), {
      ...validation,
      by: undefined,
      now: NOW,
    });
    expect(decision).toEqual({ ...INVALID, at: AT });
    expect(await decisionOf(validation)).toEqual(decision);
  });

  it('returns the first answer when it is repeated, by anyone and whatever the validation has become', async () => {
    const validation = await awaiting();
    const { validation: current, decision } = await decide(validation, {
      ...VALID,
      revision: 2,
    });
    const again = () => decide(validation, { ...VALID, revision: 2 }, { by: 'sam', now: NOW + 9_000 });
    expect(await again()).toEqual({ validation: current, decision });
    const verdict = { outcome: 'valid', results: [] } as const;
    const after = await changed(current, decided(current, verdict, AT));
    expect(await again()).toMatchObject({
      validation: { revision: 4, status: after.status },
      decision,
    });
    expect(await decisionOf(validation)).toEqual(decision);
  });

  it.each([
    ['another status', INVALID],
    ['another store', { ...VALID, storeName: 'Target' }],
    ['no store', { ...VALID, storeName: undefined }],
    ['a day', { ...VALID, receiptDate: '2026-03-05' }],
    ['no lines', { ...VALID, results: [] }],
    ['lines left out', { ...VALID, results: undefined }],
    ['another price', { ...VALID, results: [{ name: 'Tea', price: '3.51', points: 5 }] }],
    ['another quantity', { ...VALID, results: [{ name: 'Tea', price: '3.50', points: 5, quantity: 2 }] }],
    ['other points', { ...VALID, results: [{ name: 'Tea', price: '3.50', points: 6 }] }],
    ['another description', { ...VALID, results: [{ name: 'Tea', description: 'T', price: '3.50', points: 5 }] }],
    ['another name', { ...VALID, results: [{ name: 'Teas', price: '3.50', points: 5 }] }],
  ])('is final, against one with %s', async (_what, other) => {
    const validation = await awaiting();
    const { decision } = await decide(validation, VALID);
    expect(await refusalOf(decide(validation, other))).toBe(
      `409 already-decided: The validation was decided at ${AT}: valid.`,
    );
    expect(await decisionOf(validation)).toEqual(decision);
  });

  it('is final, against one with another code', async () => {
    const validation = await awaiting();
    await decide(validation, INVALID);
    expect(await refusalOf(decide(validation, { ...INVALID, invalidCode: 1 }))).toBe(
      `409 already-decided: The validation was decided at ${AT}: invalid with code 5.`,
    );
  });

  it('needs a pending validation in its current revision', async () => {
    const incomplete = await store(table, newValidation({ status: 'incomplete' }));
    expect(await refusalOf(decide(incomplete, VALID))).toBe(
      '409 not-pending: The validation is incomplete, with revision 1.',
    );
    const verdict = { outcome: 'invalid', code: 3, reason: 'Receipt submitted twice' } as const;
    const first = await awaiting();
    await changed(first, decided(first, verdict, AT));
    expect(await refusalOf(decide(first, VALID))).toBe(
      '409 not-pending: The validation is invalid (Receipt submitted twice), with revision 3.',
    );
    const second = await awaiting();
    for (const revision of [1, 3]) {
      expect(await refusalOf(decide(second, { ...VALID, revision }))).toBe(
        '409 changed-meanwhile: The validation is pending with revision 2. Read it again.',
      );
    }
    for (const one of [incomplete, first, second]) expect(await decisionOf(one)).toBeUndefined();
  });

  it('needs a code that suits the type of the validation', async () => {
    const [receipt, image] = [await awaiting(), await awaiting({ validationType: 'image' })];
    for (const [record, code] of [
      [receipt, 8],
      [receipt, 19],
      [image, 1],
      [image, 2],
    ] as const) {
      expect(await refusalOf(decide(record, { ...INVALID, invalidCode: code }))).toBe(
        `400 invalid-input: invalidCode is not a code of validations of type ${record.validationType}`,
      );
    }
    await decide(receipt, { ...INVALID, invalidCode: 1 });
    await decide(image, { ...INVALID, invalidCode: 8 });
  });

  it('does not affect a validation of another tenant', async () => {
    const { id } = await awaiting();
    for (const input of [VALID, { ...INVALID, invalidCode: 8 }]) {
      expect(await refusalOf(decide({ tenant: 'other', id }, input))).toBe(
        '404 not-found: There is no such image validation.',
      );
    }
    expect(await reviewById(table, { tenant: 'other', id })).toBeUndefined();
  });
});

describe('several reviewers at the same time', () => {
  it('store one of many different decisions, and the others are refused with it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const validation = await awaiting();
      const codes = [0, 1, 2, 5, 6, 7];
      const outcomes = await Promise.allSettled(
        codes.map((invalidCode) => decide(validation, { ...INVALID, invalidCode }, { by: `r${invalidCode}` })),
      );
      const made = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.decision] : []));
      expect(made).toHaveLength(1);
      expect(await decisionOf(validation)).toEqual(made[0]);
      for (const one of outcomes) {
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 409, code: 'already-decided' });
      }
    }
  });

  it('who agree all get the same answer', async () => {
    const validation = await awaiting();
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((by, n) => decide(validation, VALID, { by, now: NOW + n })),
    );
    for (const { decision } of answers) expect(decision).toEqual(await decisionOf(validation));
  });

  it('win against a verdict of the service that was made without their decision', async () => {
    const validation = await awaiting();
    await decide(validation, VALID);
    const verdict = {
      outcome: 'invalid',
      code: 1,
      reason: 'Receipt cannot be read clearly',
    } as const;
    expect(await changeValidation(table, decided(validation, verdict, AT), validation)).toBe(false);
    expect(await validationById(table, validation)).toEqual({
      ...validation,
      revision: 3,
    });
  });

  it('lose against a verdict of the service that comes between their read and their decision', async () => {
    const validation = await awaiting();
    const reviews = reviewsIn(table);
    const verdict = { outcome: 'invalid', code: 1, reason: 'Receipt cannot be read clearly' } as const;
    let outrun = false;
    const late: Reviews = {
      ...reviews,
      async decide(record, decision) {
        if (!outrun) await changed(record, decided(record, verdict, AT));
        outrun = true;
        return reviews.decide(record, decision);
      },
    };
    const refusal = await refusalOf(decide(validation, VALID, { reviews: late }));
    expect(refusal).toMatch(/^409 not-pending: The validation is invalid/);
    expect(await decisionOf(validation)).toBeUndefined();
  });

  it('still decide if the review opens between their read and their decision, unless they named a revision', async () => {
    for (const [revision, expected] of [
      [undefined, 'done'],
      [1, '409 changed-meanwhile: The validation is pending with revision 2. Read it again.'],
    ] as const) {
      const validation = await store(table, newValidation());
      const reviews = reviewsIn(table);
      let opened = false;
      const late: Reviews = {
        ...reviews,
        async decide(record, decision) {
          if (!opened) await changed(record, withReview(record, REVIEW));
          opened = true;
          return reviews.decide(record, decision);
        },
      };
      expect(await refusalOf(decide(validation, { ...INVALID, revision }, { reviews: late }))).toBe(expected);
      expect((await decisionOf(validation)) !== undefined).toBe(revision === undefined);
    }
  });

  it('get a fault if nothing forbids their decision and it is still refused', async () => {
    const validation = await awaiting();
    let tries = 0;
    const reviews: Reviews = {
      ...reviewsIn(table),
      decide: async () => {
        tries += 1;
        return false;
      },
    };
    await expect(decide(validation, VALID, { reviews })).rejects.toThrow('could not be stored');
    expect(tries).toBe(5);
  });
});

describe('a process that crashes at any of its calls', () => {
  it('leaves a whole decision or none, and repeating the request gives the same answer', async () => {
    const calm = new Mortality();
    const through = (mortality: Mortality) => ({ name: table.name, client: mortality.bind(table.client) });
    await decide(await awaiting(), VALID, { reviews: reviewsIn(through(calm)) });
    expect(calm.calls).toBe(3);
    for (let call = 1; call <= calm.calls; call += 1) {
      for (const when of ['before', 'after'] as const) {
        const validation = await awaiting();
        const mortal = reviewsIn(through(new Mortality(call, when)));
        await expect(decide(validation, VALID, { reviews: mortal })).rejects.toThrow(Killed);
        const wasMade = call === 3 && when === 'after';
        expect((await decisionOf(validation)) !== undefined).toBe(wasMade);
        const { decision } = await decide(validation, VALID, { by: 'sam', now: NOW + 1_000 });
        expect(decision).toMatchObject({ by: wasMade ? 'rita' : 'sam', status: 'valid' });
        expect(await decisionOf(validation)).toEqual(decision);
      }
    }
  });
});

describe('opening a review', () => {
  it('again replaces the token and keeps the rest', async () => {
    const validation = await awaiting();
    const { tenant, id } = validation;
    const again = { tenant, id, token: 'token-2', requestedAt: '2026-11-15T11:00:00.000Z' };
    expect(await openReview(table, again)).toEqual(again);
    const { decision } = await decide(validation, INVALID);
    expect(await openReview(table, { ...again, token: 'token-3' })).toEqual({ ...again, token: 'token-3', decision });
    expect(await reviewById(table, validation)).toEqual({ ...again, token: 'token-3', decision });
  });

  it('at the same time as a decision keeps both', async () => {
    for (let round = 0; round < 5; round += 1) {
      const validation = await store(table, newValidation());
      await Promise.all([
        openReview(table, { ...validation, token: 'token-1', requestedAt: AT }),
        decide(validation, INVALID),
      ]);
      expect(await reviewById(table, validation)).toMatchObject({ token: 'token-1', decision: { invalidCode: 5 } });
    }
  });
});
