import * as z from 'zod';
import type { Item } from '#shared/table/table.dynamodb';
import type { Account, InlineCredential } from './account.ts';

/**
 * The attribute of each member of an account. Their names are short, because a write is billed by the kilobyte and the
 * item must stay below one. Counters of periods have the same name in both.
 */
const ATTRIBUTES = {
  arrival: 'tat',
  version: 'pv',
  tokenMicros: 'T',
  burst: 'B',
  periodId: 'per',
  periodStart: 'ps',
  periodEnd: 'pe',
  validUntil: 'vu',
  included: 'inc',
  hardLimit: 'lim',
  testQuota: 'tq',
  testUsed: 'tu',
  liveTotal: 'lu',
  liveTotalAtDayStart: 'ld',
  testUsedAtDayStart: 'td',
  credentials: 'ks',
  announcedThreshold: 'th',
  announcedTestPercent: 'tt',
  subscription: 'sub',
} as const;

const MEMBERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ATTRIBUTES).map(([member, attribute]) => [attribute, member]),
);

const CredentialItem = z.object({ m: z.enum(['L', 'T']), s: z.enum(['A', 'R']), h: z.string() });
type CredentialItem = z.output<typeof CredentialItem>;

const SubscriptionFacts = z.object({
  plan: z.enum(['free', 'starter', 'growth', 'scale']),
  state: z.enum(['free', 'active', 'scale_intro', 'scale_full', 'scale_dunning', 'scale_blocked']),
  currency: z.enum(['USD', 'EUR', 'GBP']),
  anchor: z.optional(z.int()),
  next: z.optional(z.object({ plan: z.enum(['free', 'starter', 'growth', 'scale']), at: z.int() })),
  capMicros: z.optional(z.int()),
  peakCap: z.optional(z.object({ period: z.string(), micros: z.int() })),
  paymentMethod: z.optional(z.enum(['ach', 'sepa', 'bacs', 'card'])),
  hasPaidScale: z.boolean(),
  settledAt: z.optional(z.int()),
  failures: z.array(z.int()),
});

const AccountItem = z.looseObject({
  tat: z.int(),
  pv: z.int(),
  T: z.int(),
  B: z.int(),
  per: z.string(),
  ps: z.int(),
  pe: z.int(),
  vu: z.int(),
  inc: z.int(),
  lim: z.int(),
  tq: z.int(),
  tu: z.int(),
  lu: z.optional(z.int()),
  ld: z.optional(z.int()),
  td: z.optional(z.int()),
  ks: z.record(z.string(), CredentialItem),
  th: z.optional(z.object({ per: z.string(), inc: z.int(), percent: z.int() })),
  tt: z.optional(z.int()),
  sub: SubscriptionFacts,
});

/** The attribute that counts live conversions over the life of the account. */
export const LIFE_COUNTER = ATTRIBUTES.liveTotal;

/** The attribute of a member or of a period's counter. */
export const attributeOf = (member: string): string =>
  (ATTRIBUTES as Readonly<Record<string, string>>)[member] ?? member;

/** The account in an item of the table. */
export function accountIn(item: Item): Account {
  const account: Record<string, unknown> = {};
  const { ks, th, ...rest } = AccountItem.parse(item);
  for (const [attribute, value] of Object.entries(rest)) account[MEMBERS[attribute] ?? attribute] = value;
  account['credentials'] = Object.fromEntries(Object.entries(ks).map(([id, stored]) => [id, credentialIn(stored)]));
  if (th) account['announcedThreshold'] = { periodId: th.per, included: th.inc, percent: th.percent };
  return account as Account;
}

/** The attributes of an account's item, without the key. */
export function attributesOf({ credentials, announcedThreshold: threshold, ...rest }: Account): Item {
  return {
    ...Object.fromEntries(Object.entries(rest).map(([member, value]) => [attributeOf(member), value])),
    ks: Object.fromEntries(Object.entries(credentials).map(([id, credential]) => [id, credentialItem(credential)])),
    ...(threshold && { th: thresholdItem(threshold) }),
  };
}

export const credentialItem = ({ mode, state, hash }: InlineCredential): CredentialItem => ({
  m: mode === 'live' ? 'L' : 'T',
  s: state === 'active' ? 'A' : 'R',
  h: hash,
});

const credentialIn = ({ m, s, h }: CredentialItem): InlineCredential => ({
  mode: m === 'L' ? 'live' : 'test',
  state: s === 'A' ? 'active' : 'revoked',
  hash: h,
});

export const thresholdItem = ({ periodId, included, percent }: NonNullable<Account['announcedThreshold']>) => ({
  per: periodId,
  inc: included,
  percent,
});
