import * as z from 'zod';
import { type Manager, managerOf, type TenantCaller, tenantCallerOf } from '#shared/auth/management-caller';
import type { Refusal } from '#shared/errors';
import type { HttpResult, Surface } from './http-handler.ts';

/** `/manage/v1`: a JWT that the gateway has verified, and RFC 9457 problem details as errors. */
export const managementApi: Surface<Manager> = { identify: managerOf, present: presentProblem };

/**
 * Routes of `/manage/v1` that work on resources of one tenant: the caller's, or those of `?tenant=ID` for an operator.
 */
export const tenantApi: Surface<TenantCaller> = { identify: tenantCallerOf, present: presentProblem };

/** `{id}` of the routes of one resource. No longer id exists, so none is looked up. */
export const ItemPath = z.object({ id: z.string().max(100) });

/** The location of a new resource: with `?tenant=ID` if the request named its tenant so. */
export const locationOf = (path: string, { named }: TenantCaller): string =>
  `/manage/v1/${path}${named === undefined ? '' : `?tenant=${named}`}`;

function presentProblem({ status, code, detail }: Refusal, requestId: string): HttpResult {
  return {
    statusCode: status,
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify({
      type: `urn:problem:${code}`,
      title: code.replaceAll('-', ' '),
      status,
      code,
      detail,
      requestId,
    }),
  };
}
