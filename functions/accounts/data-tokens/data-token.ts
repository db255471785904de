import { creditMonthOf, type DataCredit, renewed, renewsAt } from '#shared/auth/data-credit';
import type { DataPlans } from '#shared/auth/data-plan';
import { dataTokenId, newDataToken } from '#shared/auth/data-token';
import { noSuch } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import { faultOf } from '#shared/http/invalid-input';
import { moreFaults } from '#shared/http/more-faults';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';
import { CREDIT_MAX, type DataTokenChange, type NewDataToken, SoundPlan } from './data-token-input.ts';

/** A data token without its secret: what is stored and shown. */
export interface DataToken extends NewDataToken, Pick<DataCredit, 'extraDownloads' | 'creditMonth'> {
  readonly tokenId: string;
  readonly tenant: string;
  readonly createdAt: string;
  readonly revokedAt?: string;
}

export interface DataTokens {
  /** False if this token exists already. */
  add(token: DataToken): Promise<boolean>;
  byId(tokenId: string): Promise<DataToken | undefined>;
  /**
   * Applies a step to a token as it is at that moment, again if its credit changes meanwhile. Undefined if the tenant has no
   * such token.
   */
  change(key: TenantKey, step: (token: DataToken) => DataToken): Promise<DataToken | undefined>;
  list(tenant: string, page: PageQuery): Promise<Page<DataToken>>;
  /** False if the tenant has no such token. */
  revoke(key: TenantKey, now: number): Promise<boolean>;
}

/** The tokens, and the plans that they may have. */
interface Issuing<Port extends keyof DataTokens> {
  readonly tokens: Pick<DataTokens, Port>;
  readonly plans: DataPlans;
}

/** Makes a token. The secret is returned here and never again. */
export async function createDataToken(
  { tokens, plans }: Issuing<'add'>,
  tenant: string,
  input: NewDataToken,
  now: number,
): Promise<{ secret: string; token: DataToken }> {
  requirePlan(plans, input.planId);
  const secret = newDataToken();
  const token: DataToken = { ...withMonth(input, now), tokenId: dataTokenId(secret), tenant, createdAt: isoTime(now) };
  if (!(await tokens.add(token))) throw new Error('Two tokens of 256 random bits are the same.');
  return { secret, token };
}

/** Credit beyond the monthly one outlives the month. */
function withMonth<Stated extends NewDataToken>(input: Stated, now: number) {
  const { monthlyDownloads, availableDownloads } = input;
  if (monthlyDownloads === undefined) return input;
  const extraDownloads = Math.max(0, availableDownloads - monthlyDownloads);
  return { ...input, extraDownloads, creditMonth: creditMonthOf(now) };
}

/** Changes credit, renewal or plan. The new credit is in force at once, the new plan within a minute. */
export async function changeDataToken(
  { tokens, plans }: Issuing<'change'>,
  key: TenantKey,
  change: DataTokenChange,
  now: number,
): Promise<DataToken> {
  requirePlan(plans, change.planId);
  return (await tokens.change(key, (token) => changed(renewed(token, now), change, now))) ?? noSuch('token');
}

function changed(token: DataToken, change: DataTokenChange, now: number): DataToken {
  const { availableDownloads, addDownloads = 0, monthlyDownloads, planId: plan = token.planId } = change;
  const renewing = withRenewal({ ...token, planId: plan }, monthlyDownloads, now);
  if (availableDownloads !== undefined) return withMonth({ ...renewing, availableDownloads }, now);
  const sum = renewing.availableDownloads + addDownloads;
  if (sum > CREDIT_MAX) throw faultOf('addDownloads', `A token holds at most ${CREDIT_MAX}.`);
  const { extraDownloads } = renewing;
  return {
    ...renewing,
    availableDownloads: sum,
    ...(extraDownloads !== undefined && { extraDownloads: extraDownloads + addDownloads }),
  };
}

/** A credit that was not renewed before was granted for good, so that all of it outlives the month. */
function withRenewal(token: DataToken, monthlyDownloads: number | null | undefined, now: number): DataToken {
  if (monthlyDownloads === undefined) return token;
  if (monthlyDownloads === null) {
    return { ...token, monthlyDownloads: undefined, extraDownloads: undefined, creditMonth: undefined };
  }
  const first = { extraDownloads: token.availableDownloads, creditMonth: creditMonthOf(now) };
  return { ...token, ...(token.monthlyDownloads === undefined && first), monthlyDownloads };
}

/** The checks of a save besides the schema. */
export const dataTokenFaults = (plans: DataPlans) =>
  moreFaults(SoundPlan, ({ planId }) => [() => requirePlan(plans, planId)]);

/** Refuses a plan that the stage does not have. */
function requirePlan(plans: DataPlans, plan: string | undefined): void {
  if (plan === undefined || Object.hasOwn(plans, plan)) return;
  const alone = { status: 400, code: 'unknown-plan' };
  throw faultOf('planId', `must be one of ${Object.keys(plans).join(', ')}`, alone);
}

/** Revokes a token for good. Cached credentials are accepted for up to a minute more. */
export async function revokeDataToken(tokens: DataTokens, key: TenantKey, now: number): Promise<void> {
  if (!(await tokens.revoke(key, now))) noSuch('token');
}

/** The token as the management API shows it, with the credit of this month. */
export const presentDataToken = (token: DataToken, now: number) => ({
  id: token.tokenId,
  planId: token.planId,
  availableDownloads: renewed(token, now).availableDownloads,
  ...(token.monthlyDownloads !== undefined && {
    monthlyDownloads: token.monthlyDownloads,
    renewsAt: isoTime(renewsAt(now)),
  }),
  createdAt: token.createdAt,
  ...(token.revokedAt && { revokedAt: token.revokedAt }),
});
