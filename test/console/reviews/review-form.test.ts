import { describe, expect, it } from 'vitest';
import { ManagementFailure } from '../../../functions/console/management/management.ts';
import { Form } from '../../../functions/console/pages/form.ts';
import type { Details } from '../../../functions/console/reviews/image-answers.ts';
import { countedText, queueFilterIn, queueQueryOf } from '../../../functions/console/reviews/queue-filter.ts';
import { bodyOf, proposedFields, reviewIn } from '../../../functions/console/reviews/review-form.ts';
import { conflictText } from '../../../functions/console/reviews/review-refusals.ts';
import { ReviewRequest } from '../../../functions/images/reviews/review-request.ts';

const form = (pairs: readonly (readonly [string, string])[]) =>
  reviewIn(new Form(new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString()));

const line = (name: string, price: string, quantity = '1', points = '0') =>
  [
    ['line-name', name],
    ['line-price', price],
    ['line-quantity', quantity],
    ['line-points', points],
    ['line-description', `${name} as printed`],
  ] as const;

describe('a review', () => {
  it('that is valid states store, date and the lines that have names, as the management API takes it', () => {
    const fields = form([
      ['verdict', 'valid'],
      ['code', '3'],
      ['storeName', ' Northwind '],
      ['receiptDate', '2026-11-19'],
      ...line('Tea', '8.00', '2', '5'),
      ...line(' ', '1.00'),
      ...line('Bag', '4'),
    ]);
    const body = bodyOf(fields, '7');
    expect(ReviewRequest.parse(body)).toEqual({
      revision: 7,
      verdict: {
        status: 'valid',
        storeName: 'Northwind',
        receiptDate: '2026-11-19',
        results: [
          { name: 'Tea', description: 'Tea as printed', price: 800, quantity: 2, points: 5 },
          { name: 'Bag', description: 'Bag as printed', price: 400, quantity: 1, points: 0 },
        ],
      },
    });
  });

  it('that is invalid states the code alone', () => {
    const fields = form([['verdict', 'invalid'], ['code', '17'], ['storeName', 'Northwind'], ...line('Tea', '8.00')]);
    expect(bodyOf(fields, '7')).toEqual({ status: 'invalid', invalidCode: 17, revision: 7 });
  });

  it('leaves what is no number to the API, which names the line', () => {
    const fields = form([['verdict', 'valid'], ...line('Tea', '8.00', 'two')]);
    expect(ReviewRequest.safeParse(bodyOf(fields, '7')).error?.issues[0]?.path).toEqual(['results', 0, 'quantity']);
  });

  it('begins with what the machine proposes, and with neither verdict nor reason', () => {
    const record = {
      review: {
        doubts: [{ reason: 'x', code: 4 }],
        proposal: { storeName: 'Northwind', results: [{ name: 'Tea', price: '8.00', quantity: 2, points: 5 }] },
      },
      images: [{ id: 'a', reading: { storeName: 'NORTHW1ND', receiptDate: '2026-11-19' } }],
    } as unknown as Details;
    expect(proposedFields(record)).toEqual({
      verdict: '',
      code: '',
      storeName: 'Northwind',
      receiptDate: '2026-11-19',
      lines: [{ name: 'Tea', price: '8.00', quantity: '2', points: '5', description: '' }],
    });
  });
});

it('a conflict is told in words, and what is wrong with the form is none', () => {
  const failure = (status: number, code: string) => new ManagementFailure({ status, code, detail: 'As the API says.' });
  for (const code of ['claimed', 'already-decided', 'changed-meanwhile', 'not-pending', 'needs-no-review']) {
    expect(conflictText(failure(409, code))).not.toBe('As the API says.');
  }
  expect(conflictText(failure(409, 'of-tomorrow'))).toBe('As the API says.');
  expect(conflictText(failure(400, 'invalid-input'))).toBeUndefined();
});

describe('the review queue', () => {
  const asked = (query: string) => queueQueryOf(queueFilterIn(new URLSearchParams(query)));

  it('asks for what waits, oldest first, and counts it', () => {
    expect(asked('')).toEqual({ limit: '50', cursor: '', needsReview: 'true', order: 'oldest', count: 'true' });
    expect(asked('view=of-tomorrow')).toMatchObject({ needsReview: 'true' });
  });

  it('asks for no state together with a customer, which the API refuses', () => {
    expect(asked('view=valid&cursor=c')).toEqual({ limit: '50', cursor: 'c', customer: '', status: 'valid' });
    expect(asked('view=valid&customer=dana')).toEqual({ limit: '50', cursor: '', customer: 'dana', status: undefined });
  });

  it('asks for the records of a campaign, and of a customer alone if both are given', () => {
    expect(asked('campaign=autumn&view=valid')).toMatchObject({ campaign: 'autumn', status: undefined });
    expect(asked('campaign=autumn&customer=dana')).not.toHaveProperty('campaign');
  });

  it('says that it was counted no further', () => {
    expect(countedText({ value: 14, isMore: false })).toBe('14');
    expect(countedText({ value: 100, isMore: true })).toBe('100+');
  });
});
