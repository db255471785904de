import { describe, expect, it } from 'vitest';
import { bodyOf, costOf, orderIn, payersOf } from '../../../functions/console/downloads/download-order.ts';

const token = (id: string, availableDownloads: number, revokedAt?: string) => ({
  id,
  planId: 'demo',
  availableDownloads,
  createdAt: '2026-01-01T00:00:00.000Z',
  revokedAt,
});
const order = (stated: Record<string, string>) =>
  orderIn((name) => ({ type: 'products', q: 'name:a', ...stated })[name] ?? '');
const payers = payersOf([token('small', 10), token('gone', 9_999, '2026-02-01T00:00:00.000Z'), token('large', 100)]);

describe('what a download costs', () => {
  it('is paid by the token with the most credits of those in force, unless another one is named', () => {
    expect(payers.map(({ id }) => id)).toEqual(['large', 'small']);
    expect(costOf(order({}), 60, payers)).toEqual({ ok: true, credits: 60, token: payers[0], remaining: 40 });
    expect(costOf(order({ tokenId: 'small' }), 4, payers)).toMatchObject({ token: { id: 'small' }, remaining: 6 });
    expect(costOf(order({ tokenId: 'gone' }), 4, payers)).toMatchObject({ ok: false, field: 'tokenId' });
    expect(costOf(order({}), 4, [])).toMatchObject({ ok: false, field: 'tokenId' });
  });

  it('is no more than what matches', () => {
    expect(costOf(order({ records: '20' }), 60, payers)).toMatchObject({ credits: 20, remaining: 80 });
    expect(costOf(order({ records: '2,000' }), 60, payers)).toMatchObject({ credits: 60 });
  });

  it('is told before a token with too little is asked to pay', () => {
    expect(costOf(order({}), 100, payers)).toMatchObject({ ok: true, remaining: 0 });
    expect(costOf(order({}), 101, payers)).toMatchObject({ ok: false, field: 'tokenId' });
    expect(costOf(order({ records: '100' }), 101, payers)).toMatchObject({ ok: true, remaining: 0 });
  });

  it.each(['0', '-1', '1.5', 'many', '1'.repeat(16)])('is unknown of %s records', (records) => {
    expect(costOf(order({ records }), 60, payers)).toMatchObject({ ok: false, field: 'records' });
  });
});

describe('an order', () => {
  it.each([
    ['csv', { format: 'csv' }],
    ['csv-raw', { format: 'csv', csvFormulas: 'raw' }],
    ['anything', { format: 'json' }],
  ])('of the format %s is sent as it is meant', (format, sent) => {
    expect(bodyOf(order({ format }))).toEqual({ type: 'products', q: 'name:a', ...sent });
  });

  it('leaves out what was not stated, so that the service decides', () => {
    expect(bodyOf(order({}))).toEqual({ type: 'products', q: 'name:a', format: 'json' });
    expect(bodyOf(order({ view: 'v', format: 'csv', records: '1 000', tokenId: 't' }))).toEqual({
      type: 'products',
      q: 'name:a',
      format: 'csv',
      view: 'v',
      records: 1_000,
      tokenId: 't',
    });
  });
});
