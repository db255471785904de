import * as z from 'zod';
import {
  type ManagementCaller,
  managementCallerOf,
  rateHeadersOf,
  type TenantCaller,
  tenantCallerOf,
} from '#shared/auth/management-caller';
import type { Refusal } from '#shared/errors';
import type { HttpResult, Surface } from './http-handler.ts';
import { InvalidInput } from './invalid-input.ts';
import { type Check, type MoreFaults, moreFaults } from './more-faults.ts';
import { problemResult } from './problem.ts';

const common = { present: presentProblem, headersFor: rateHeadersOf };

/** The interface `/manage/v1`: a token or key that the authoriser has checked, and RFC 9457 problem details as errors. */
export const managementApi: Surface<ManagementCaller> = {
  ...common,
  identify: managementCallerOf,
  // Operators may act for any account.
  tenantOf: ({ tenant, operator }, { routeKey, pathParameters }) =>
    (operator && routeKey.includes('/accounts/{id}') && pathParameters?.['id']) || tenant,
};

/**
 * Routes of `/manage/v1` that work on resources of one tenant: the caller's, or those of `?tenant=ID` for an operator.
 */
export const tenantApi: Surface<TenantCaller> = { ...common, identify: tenantCallerOf };

/** A body with a fault, and the call that sent it. */
export interface Draft {
  readonly tenant: string;
  /** The id of the resource that the body changes; absent for a new one. */
  readonly id?: string | undefined;
  /** The members that have a fault. */
  readonly unsound: ReadonlySet<string>;
}

/** The `moreFaults` option for resources of one tenant. */
export const tenantFaults = <Sound>(
  schema: z.ZodType<Sound>,
  checksOf: (sound: Sound, draft: Draft) => Promise<readonly Check[]> | readonly Check[],
): MoreFaults<TenantCaller, { readonly id: string } | undefined> =>
  moreFaults(schema, (sound, { caller: { tenant }, path, unsound }) =>
    checksOf(sound, { tenant, id: path?.id, unsound }),
  );

/** The `{id}` in the path of one resource. Longer ids do not exist, so they are not looked up. */
export const ItemPath = z.object({ id: z.string().max(100) });

/** A call that changes one resource of a tenant. */
export interface TenantCall<Body> {
  readonly caller: TenantCaller;
  readonly path: z.output<typeof ItemPath>;
  readonly body: Body;
  readonly now: number;
}

/** The location of a new resource, with `?tenant=ID` if the request named its tenant so. */
export const locationOf = (path: string, { named }: TenantCaller): string =>
  `/manage/v1/${path}${named === undefined ? '' : `?tenant=${named}`}`;

const HEADERS: Readonly<Record<number, Record<string, string>>> = {
  401: { 'www-authenticate': 'Bearer realm="manage", error="invalid_token"' },
  503: { 'retry-after': '5' },
};

function presentProblem(refusal: Refusal, requestId: string): HttpResult {
  const { status, code, detail } = refusal;
  const members = refusal instanceof InvalidInput ? { errors: refusal.errors } : {};
  return problemResult({ status, code, detail, requestId, headers: HEADERS[status] ?? {}, members });
}
