import * as z from 'zod';
import { Refusal } from '#shared/errors';
import type { HttpEvent, HttpResult, Surface } from './http-handler.ts';

/** Who calls the management API: a person or program of one tenant, or an operator, who may act for every tenant. */
export interface Manager {
  readonly tenant: string;
  readonly operator: boolean;
}

/** `/manage/v1`: a JWT that the gateway has verified, and RFC 9457 problem details as errors. */
export const managementApi: Surface<Manager> = { identify: managerOf, present: presentProblem };

interface WithClaims {
  authorizer?: { jwt?: { claims?: Record<string, unknown> } };
}

function managerOf(event: HttpEvent): Manager {
  const claims = (event.requestContext as WithClaims).authorizer?.jwt?.claims ?? {};
  const tenant = claims['custom:tenant'];
  const operator = groupsOf(claims['cognito:groups']).includes('operator');
  if (typeof tenant !== 'string' || tenant === '') {
    if (!operator) throw new Refusal(401, 'no-tenant', 'The token names no tenant.');
    return { tenant: '', operator };
  }
  return { tenant, operator };
}

/** The gateway passes a list claim as text: `[operator auditor]`. */
function groupsOf(claim: unknown): string[] {
  if (Array.isArray(claim)) return claim.map(String);
  return typeof claim === 'string' ? claim.replace(/^\[|\]$/g, '').split(/[\s,]+/) : [];
}

/**
 * Refuses callers other than operators. The 403 admits that the route exists; what belongs to another tenant must look
 * missing instead.
 */
export function requireOperator({ operator }: Manager): void {
  if (!operator) throw new Refusal(403, 'operator-required', 'Only an operator may do this.');
}

/** The tenant that a path names, if the caller may act for it. Another tenant's looks like one that does not exist. */
export function requireTenant({ tenant, operator }: Manager, id: string): void {
  if (!operator && tenant !== id) throw new Refusal(404, 'not-found', 'There is no such account.');
}

export const TenantId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be the id of a tenant');

/** `{id}` of the routes of one resource. No longer id exists, so none is looked up. */
export const ItemPath = z.object({ id: z.string().max(100) });

/** A caller that works on resources of one tenant. */
export interface TenantCaller {
  /** The caller's own tenant, or the one that an operator names. */
  readonly tenant: string;
  /** As named by `?tenant=ID`. */
  readonly named: string | undefined;
}

/**
 * Routes of `/manage/v1` that work on resources of one tenant: the caller's, or those of `?tenant=ID` for an operator.
 */
export const tenantApi: Surface<TenantCaller> = { identify: tenantCallerOf, present: presentProblem };

function tenantCallerOf(event: HttpEvent): TenantCaller {
  const manager = managerOf(event);
  const named = new URLSearchParams(event.rawQueryString).get('tenant') ?? undefined;
  const isId = named === undefined || TenantId.safeParse(named).success;
  if (!isId) throw new Refusal(400, 'invalid-input', 'tenant: must be the id of a tenant');
  const tenant = named ?? manager.tenant;
  if (tenant === '') throw new Refusal(400, 'tenant-required', 'Name the tenant to act for: ?tenant=ID.');
  requireTenant(manager, tenant);
  return { tenant, named };
}

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
