import * as z from 'zod';
import { Refusal } from '#shared/errors';
import type { HttpEvent } from '#shared/http/http-handler';

/** Who calls the management API: a person or program of one tenant, or an operator, who may act for every tenant. */
export interface Manager {
  readonly tenant: string;
  readonly operator: boolean;
}

interface WithClaims {
  authorizer?: { jwt?: { claims?: Record<string, unknown> } };
}

/** The caller behind the claims of a JWT that the gateway has verified. */
export function managerOf(event: HttpEvent): Manager {
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

/** A caller that works on resources of one tenant. */
export interface TenantCaller {
  /** The caller's own tenant, or the one that an operator names. */
  readonly tenant: string;
  /** As named by `?tenant=ID`. */
  readonly named: string | undefined;
}

/** The tenant that a call is about. A tenant that names another one gets the 404 of one that does not exist. */
export function tenantCallerOf(event: HttpEvent): TenantCaller {
  const manager = managerOf(event);
  const named = new URLSearchParams(event.rawQueryString).get('tenant') ?? undefined;
  const isId = named === undefined || TenantId.safeParse(named).success;
  if (!isId) throw new Refusal(400, 'invalid-input', 'tenant: must be the id of a tenant');
  const tenant = named ?? manager.tenant;
  if (tenant === '') throw new Refusal(400, 'tenant-required', 'Name the tenant to act for: ?tenant=ID.');
  requireTenant(manager, tenant);
  return { tenant, named };
}
