/**
 * One metered call, for every way to be admitted, every state of its key and every end of its work: what is counted,
 * given back, kept, released and answered.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { type Account, usageIn } from '../../../functions/conversions/billing/balances/account.ts';
import { newAccount } from '../../../functions/conversions/billing/balances/account-changes.ts';
import { AccountCache } from '../../../functions/conversions/billing/metering/account-cache.ts';
import { type Caller, refusalReason } from '../../../functions/conversions/billing/metering/admission.ts';
import { Breaker } from '../../../functions/conversions/billing/metering/breaker.ts';
import type { LateUsage } from '../../../functions/conversions/billing/metering/late-usage.ts';
import type { MeterStore } from '../../../functions/conversions/billing/metering/meter.ts';
import { Metering } from '../../../functions/conversions/billing/metering/metering.ts';
import { newSubscription } from '../../../functions/conversions/billing/subscriptions/subscription.ts';
import {
  type CountableAnswer,
  type Settlement,
  serveMetered,
} from '../../../functions/conversions/serving/metered-call.ts';
import { Problem } from '../../../functions/conversions/serving/problem.ts';
import type { Answer, Answers, Claim, ClaimResult } from '../../../shared/idempotency/answer.ts';
import { loggedLines } from '../../support/runner/logged-lines.ts';

const lines = loggedLines();
afterEach(() => void lines());

const MILLIS = Date.UTC(2026, 10, 15);
const NOW = MILLIS * 1_000;
const CALLER: Caller = { tenant: 'acme', mode: 'live', credentialId: 'kabc', hash: 'hash' };
const CLAIM: Claim = { name: 'acme#1', fingerprint: 'print', owner: 'request', until: MILLIS + 10_000 };
const ANSWERS: Record<'counted' | 'not counted', CountableAnswer> = {
  counted: { answer: { status: 200, contentType: 'application/json', body: '{}' }, isCounted: true },
  'not counted': { answer: { status: 503, contentType: 'application/problem+json', body: '{}' }, isCounted: false },
};
const EARLIER: Answer = { status: 422, contentType: 'application/problem+json', body: '{"code":"unknown-unit"}' };

const ADMISSIONS = {
  plenty: {},
  'quota short': { used: 960 },
  'quota used up': { used: 1_000 },
  'quota used up unseen': { used: 1_000, seen: { used: 0 } },
  'rate used up': { arrival: NOW + 10_000_000 },
  'credential revoked': { credentials: {} },
  'table down': { failure: Object.assign(new Error(), { name: 'NetworkError' }) },
  'table timed out': { failure: Object.assign(new Error(), { name: 'TimeoutError' }) },
  'breaker open': { failure: new Error('not called'), isOpen: true },
} as const;
type AdmissionName = keyof typeof ADMISSIONS;
const CLAIMS = ['none', 'first', 'replay', 'in-progress', 'reused', 'store down'] as const;
type ClaimName = (typeof CLAIMS)[number];
const OUTCOMES = ['counted', 'not counted'] as const;

interface Scene {
  readonly used?: number;
  readonly arrival?: number;
  readonly credentials?: Account['credentials'];
  readonly failure?: Error;
  readonly isOpen?: boolean;
  /** What this function has seen of it before, where that differs. */
  readonly seen?: { readonly used: number };
}

const itemWith = ({
  used: count = 0,
  arrival = 0,
  credentials = { kabc: { mode: 'live', state: 'active', hash: 'hash' } },
}: Scene): Account => ({
  ...newAccount(newSubscription('USD', MILLIS)),
  q_m202611: count,
  arrival,
  credentials,
});

/** The account as the table holds it, by the rules of `refusalReason`, and everything that is called. */
function meterOf({ failure, isOpen = false, seen, ...scene }: Scene) {
  let item = itemWith(scene);
  const late: LateUsage[] = [];
  const store: MeterStore = {
    read: async () => item,
    async take(taking) {
      const free = refusalReason({ ...taking, version: taking.item.version }, item).kind === 'bucket-state-changed';
      if (!free) return { done: false, item };
      item = {
        ...item,
        arrival: Math.max(item.arrival, taking.now) + item.tokenMicros,
        q_m202611: usageIn(item) + (taking.counts ? 1 : 0),
      };
      return { done: true, item };
    },
    advance: async () => undefined,
    async giveBack({ tenant, counter }) {
      expect({ tenant, counter }).toEqual({ tenant: 'acme', counter: 'q_m202611' });
      item = { ...item, q_m202611: usageIn(item) - 1 };
      return true;
    },
    knowsOverflow: async () => false,
  };
  const breaker = new Breaker(() => MILLIS);
  if (failure) store.take = async () => Promise.reject(failure);
  if (isOpen) for (let n = 0; n < 3; n += 1) breaker.failed();
  const cache = new AccountCache(() => 0);
  cache.saw('acme', { ...item, ...(seen && { q_m202611: seen.used }) });
  const metering = new Metering(
    {
      store,
      cache,
      now: () => NOW,
      breaker,
      lateUsage: { send: async (usage) => void late.push(usage) },
      report: () => undefined,
    },
    { callMillis: 1_000, requestMillis: 1_000 },
  );
  return {
    metering,
    late,
    counted: () => usageIn(item) - (scene.used ?? 0),
    tokens: () => (item.arrival > NOW ? 1 : 0),
  };
}

function answersOf(name: ClaimName, log: string[]): Answers {
  const claimed: ClaimResult = name === 'replay' ? { kind: 'replay', answer: EARLIER } : { kind: name as 'first' };
  return {
    async claim() {
      log.push('claim');
      if (name === 'store down') throw new Error('the store is down');
      return claimed;
    },
    complete: async (claim, { status }) => void log.push(`complete ${claim.owner} ${status}`),
    release: async (claim) => void log.push(`release ${claim.owner}`),
  };
}

async function served(admission: AdmissionName, claim: ClaimName, outcome: (typeof OUTCOMES)[number]) {
  const meter = meterOf(ADMISSIONS[admission]);
  const answers: string[] = [];
  let announced = 0;
  let worked = 0;
  const settled = await serveMetered(
    {
      metering: meter.metering,
      answers: answersOf(claim, answers),
      noteUse: async () => undefined,
      announceThresholds: async () => void (announced += 1),
    },
    { caller: CALLER, requestId: 'request', now: MILLIS, claim: claim === 'none' ? undefined : CLAIM },
    async () => {
      worked += 1;
      return ANSWERS[outcome];
    },
  );
  return { ...meter, settled, answers, announced, worked };
}

const codeOf = ({ answer }: Settlement) => (answer instanceof Problem ? answer.code : answer.status);

const REFUSALS: Partial<Record<AdmissionName, string>> = {
  'credential revoked': 'unauthorized',
  'rate used up': 'rate-limited',
  'quota used up': 'quota-exceeded',
  'quota used up unseen': 'quota-exceeded',
};
const EARLIER_CODES: Partial<Record<ClaimName, unknown>> = {
  replay: EARLIER.status,
  'in-progress': 'idempotency-in-progress',
  reused: 'idempotency-key-reused',
};
const UNMETERED: readonly AdmissionName[] = ['table down', 'table timed out', 'breaker open'];

describe.each(Object.keys(ADMISSIONS) as AdmissionName[])('with %s', (admission) => {
  const isUnmetered = UNMETERED.includes(admission);
  // Without the table there is no store of answers either.
  const hasStore = admission !== 'breaker open';

  describe.each(CLAIMS)('and a key that is %s', (claim) => {
    const isEarlier = claim in EARLIER_CODES && hasStore;
    const code = REFUSALS[admission];
    const refusal = code === 'quota-exceeded' && isEarlier ? undefined : code;
    const isServed = refusal === undefined && !isEarlier;
    const told = refusal ?? (isEarlier ? EARLIER_CODES[claim] : undefined);

    it.each(OUTCOMES)('work that ends %s is settled once', async (outcome) => {
      const { settled, counted, tokens, late, answers, worked, announced } = await served(admission, claim, outcome);
      const isCounted = isServed && outcome === 'counted';
      const inTable = isCounted && !isUnmetered ? 1 : 0;
      // What the table counts and what the queue carries to it, together. After a timeout nobody knows.
      const sum = late.reduce((total, { amount }) => total + amount, counted());
      expect({ code: codeOf(settled), cost: settled.quota.cost, worked, sum, counted: counted(), announced }).toEqual({
        code: told ?? ANSWERS[outcome].answer.status,
        cost: isCounted ? 1 : 0,
        worked: isServed ? 1 : 0,
        sum: isCounted && admission !== 'table timed out' ? 1 : 0,
        counted: inTable,
        announced: inTable,
      });
      expect(settled.isReplay).toBe(claim === 'replay' && isEarlier && refusal === undefined ? true : undefined);
      expect(settled.retryAfterSeconds !== undefined).toBe(refusal === 'rate-limited');
      expect(tokens()).toBe(isUnmetered || (refusal !== undefined && refusal !== 'rate-limited') ? 0 : 1);
      const end = isCounted ? 'complete request 200' : 'release request';
      const calls = { none: [], first: ['claim', end] }[claim as 'none'] ?? ['claim'];
      expect(answers).toEqual(hasStore ? calls : []);
    });
  });
});

describe('the quota that a caller sees', () => {
  it.each([
    ['plenty', 'none', 'counted', { taken: 1, cost: 1 }],
    ['plenty', 'first', 'not counted', { taken: 1, cost: 0 }],
    ['plenty', 'replay', 'counted', { taken: 1, cost: 0 }],
    ['quota short', 'replay', 'counted', { taken: 0, cost: 0 }],
    ['quota used up unseen', 'replay', 'counted', { taken: 0, cost: 0 }],
    ['table down', 'none', 'counted', { taken: 0, cost: 1 }],
    ['quota used up', 'none', 'counted', { taken: 0, cost: 0 }],
  ] as const)('with %s, a key that is %s and work that is %s', async (admission, claim, outcome, quota) => {
    expect((await served(admission, claim, outcome)).settled.quota).toEqual(quota);
  });
});

describe('a write that fails after the work', () => {
  const broken = (name: 'complete' | 'release'): Answers => ({
    claim: async () => ({ kind: 'first' }),
    complete: async () => undefined,
    release: async () => undefined,
    [name]: () => Promise.reject(new Error('the store is down')),
  });

  it.each([
    ['counted', 'complete'],
    ['not counted', 'release'],
  ] as const)('leaves an answer that is %s as it is', async (outcome, name) => {
    const meter = meterOf({});
    const settled = await serveMetered(
      {
        metering: meter.metering,
        answers: broken(name),
        noteUse: async () => undefined,
        announceThresholds: () => Promise.reject(new Error('the table is down')),
      },
      { caller: CALLER, requestId: 'request', now: MILLIS, claim: CLAIM },
      async () => ANSWERS[outcome],
    );
    expect(settled.answer).toEqual(ANSWERS[outcome].answer);
    expect(meter.counted()).toBe(outcome === 'counted' ? 1 : 0);
    expect(lines().length).toBeGreaterThan(0);
  });
});

describe('usage that is counted later', () => {
  it('names the period of the request, or leaves it to the queue where that is not known', async () => {
    const sent = async (mode: 'live' | 'test', now = MILLIS) => {
      const { metering, late } = meterOf(ADMISSIONS['breaker open']);
      await serveMetered(
        {
          metering,
          answers: answersOf('none', []),
          noteUse: async () => undefined,
          announceThresholds: async () => undefined,
        },
        { caller: { ...CALLER, mode }, requestId: 'request', now },
        async () => ANSWERS['not counted'],
      );
      return late;
    };
    const usage = { tenant: 'acme', mode: 'live', at: MILLIS, counter: 'q_m202611' };
    expect(await sent('live')).toEqual([
      { ...usage, id: 'request', amount: 1 },
      { ...usage, id: 'request-back', amount: -1 },
    ]);
    expect((await sent('test')).map(({ counter }) => counter)).toEqual(['testUsed', 'testUsed']);
    expect((await sent('live', Date.UTC(2026, 11, 1))).map(({ counter }) => counter)).toEqual([undefined, undefined]);
  });
});
