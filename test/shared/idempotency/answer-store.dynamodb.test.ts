import { randomBytes } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Claim } from '../../../shared/idempotency/answer.ts';
import { answerStore } from '../../../shared/idempotency/answer-store.dynamodb.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';

const NOW = 1_800_000_000_000;
const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const ANSWER: Answer = { status: 200, contentType: 'application/json', body: '{"value":"116.13"}' };

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'conversions');
});
afterAll(() => endpoint.close());

const store = (callMillis = 20_000) => answerStore(table, callMillis);
let claims = 0;
function newClaim(own: Partial<Claim> = {}): Claim {
  claims += 1;
  return {
    name: `acme#${claims}`,
    fingerprint: 'print',
    owner: `request-${claims}`,
    until: NOW + 10 * SECOND,
    ...own,
  };
}
/** The same key, requested once more. */
const repeated = (claim: Claim, own: Partial<Claim> = {}): Claim => ({
  ...claim,
  owner: `${claim.owner}-again`,
  ...own,
});

async function stored({ name }: Claim) {
  const { Item } = await table.client.send(
    new GetItemCommand({ TableName: table.name, Key: marshall({ pk: `ANSWER#${name}`, sk: 'ANSWER' }) }),
  );
  return Item;
}

describe('a key', () => {
  it('belongs to one of many requests that come at the same time', async () => {
    const claim = newClaim();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => store().claim({ ...claim, owner: `owner-${n}` }, NOW)),
    );
    expect(outcomes.filter(({ kind }) => kind === 'first')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'in-progress')).toHaveLength(19);
  });

  it('of another body is distinguished before and after there is an answer', async () => {
    const claim = newClaim();
    const other = repeated(claim, { fingerprint: 'another print' });
    await store().claim(claim, NOW);
    expect(await store().claim(other, NOW)).toEqual({ kind: 'reused' });
    await store().complete(claim, ANSWER);
    expect(await store().claim(other, NOW)).toEqual({ kind: 'reused' });
    expect(await store().claim(repeated(claim), NOW)).toEqual({ kind: 'replay', answer: ANSWER });
  });

  it('gives the answer as it was, again and again, until a day has passed', async () => {
    const claim = newClaim();
    const body = '{"text":"€ \u{1f600} \\u0000","empty":""}';
    const answer = { status: 422, contentType: 'application/problem+json', body };
    await store().claim(claim, NOW);
    await store().complete(claim, answer);
    for (const later of [0, SECOND, 11 * SECOND, DAY]) {
      expect(await store().claim(repeated(claim), NOW + later)).toEqual({ kind: 'replay', answer });
    }
    // An expired item is in the table until DynamoDB finds it.
    const again = repeated(claim, { fingerprint: 'another print', until: NOW + 2 * DAY });
    expect(await store().claim(again, NOW + DAY + SECOND)).toEqual({ kind: 'first' });
    expect(await store().claim(repeated(claim), NOW + DAY + SECOND)).toEqual({ kind: 'reused' });
    const item = await stored(claim);
    expect(item?.['body']).toBeUndefined();
    expect(Number(item?.['ttl']?.N)).toBe((NOW + 2 * DAY + SECOND) / SECOND);
  });

  it('is free again once it was released', async () => {
    const claim = newClaim();
    await store().claim(claim, NOW);
    await store().release(claim);
    expect(await store().claim(repeated(claim, { fingerprint: 'another print' }), NOW)).toEqual({ kind: 'first' });
  });

  it('of a function that died is taken over when its time is over, and not before', async () => {
    const claim = newClaim();
    await store().claim(claim, NOW);
    expect(await store().claim(repeated(claim), claim.until)).toEqual({ kind: 'in-progress' });
    expect(await store().claim(repeated(claim), claim.until + 1)).toEqual({ kind: 'first' });
  });

  it('is taken over by one of many', async () => {
    const claim = newClaim();
    await store().claim(claim, NOW);
    const at = claim.until + 1;
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        store().claim(repeated(claim, { owner: `heir-${n}`, until: at + 10 * SECOND }), at),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === 'first')).toHaveLength(1);
  });

  it('that has its answer is never taken over', async () => {
    const claim = newClaim({ until: NOW });
    await store().claim(claim, NOW);
    await store().complete(claim, ANSWER);
    expect(await store().claim(repeated(claim), NOW + SECOND)).toMatchObject({ kind: 'replay' });
  });
});

describe('an owner that has lost its key', () => {
  it('neither completes nor releases that of its heir', async () => {
    const claim = newClaim();
    const heir = repeated(claim, { until: NOW + 60 * SECOND });
    await store().claim(claim, NOW);
    await store().claim(heir, claim.until + 1);
    await store().complete(claim, { ...ANSWER, body: 'late' });
    await store().release(claim);
    expect(await store().claim(repeated(heir), claim.until + 2)).toEqual({ kind: 'in-progress' });
    await store().complete(heir, ANSWER);
    await store().complete(claim, { ...ANSWER, body: 'later' });
    await store().release(claim);
    expect(await store().claim(repeated(heir), claim.until + 2)).toEqual({ kind: 'replay', answer: ANSWER });
  });

  it('makes no item where there is none', async () => {
    const claim = newClaim();
    await store().complete(claim, ANSWER);
    await store().release(claim);
    expect(await stored(claim)).toBeUndefined();
  });

  it('cannot change or delete its own answer once it is given', async () => {
    const claim = newClaim();
    await store().claim(claim, NOW);
    await store().complete(claim, ANSWER);
    await store().complete(claim, { ...ANSWER, status: 400 });
    await store().release(claim);
    expect(await store().claim(repeated(claim), NOW)).toEqual({ kind: 'replay', answer: ANSWER });
  });
});

describe('a large answer', () => {
  it.each([
    ['300 KB that repeat the 256 KB of their request', 230_000, 70_000],
    ['a record and all its changes', 240_000, 480_000],
  ])('of %s fits into the item', async (_what, fresh, repeats) => {
    // Of the letters of JSON text the densest that a request may hold.
    const text = randomBytes(fresh).toString('base64').slice(0, fresh);
    const body = JSON.stringify({ record: text, changes: text.repeat(3).slice(0, repeats) });
    const claim = newClaim();
    await store().claim(claim, NOW);
    await store().complete(claim, { ...ANSWER, body });
    expect(await store().claim(repeated(claim), NOW)).toEqual({ kind: 'replay', answer: { ...ANSWER, body } });
  });
});

describe('a table that does not answer', () => {
  it('makes each call fail within its time', async () => {
    const stuck = answerStore({ ...table, client: silent(table.client) }, 5);
    const claim = newClaim();
    await expect(stuck.claim(claim, NOW)).rejects.toThrow();
    await expect(stuck.complete(claim, ANSWER)).rejects.toThrow();
    await expect(stuck.release(claim)).rejects.toThrow();
  });
});

/** A client whose calls end only by their signal. */
const silent = (client: Table['client']): Table['client'] =>
  Object.assign(Object.create(client), {
    send: (_command: unknown, { abortSignal }: { abortSignal?: AbortSignal } = {}) =>
      new Promise((_resolve, reject) => {
        abortSignal?.addEventListener('abort', () => reject(abortSignal.reason));
      }),
  });
