import * as z from 'zod';
import { Refusal } from '#shared/errors';
import type { HttpEvent, HttpResult, Surface } from './http-handler.ts';
import { PageQuery } from './page.ts';

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

/** The gateway hands a list claim over as text: `[operator auditor]`. */
function groupsOf(claim: unknown): string[] {
  if (Array.isArray(claim)) return claim.map(String);
  return typeof claim === 'string' ? claim.replace(/^\[|\]$/g, '').split(/[\s,]+/) : [];
}

/** Refuses whoever is no operator. A tenant's own things are not told from missing ones, so this is for open secrets only. */
export function requireOperator({ operator }: Manager): void {
  if (!operator) throw new Refusal(403, 'operator-required', 'Only an operator may do this.');
}

/** The tenant that a path names, if the caller may act for it. Somebody else's looks like one that does not exist. */
export function requireTenant({ tenant, operator }: Manager, id: string): void {
  if (!operator && tenant !== id) throw new Refusal(404, 'not-found', 'There is no such account.');
}

export const TenantId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be the id of a tenant');

/** `?tenant=ID` of the routes that work on a tenant's own things. */
export const TenantQuery = z.object({ tenant: TenantId.optional() });

/** `{id}` of the routes of one thing. Longer ones are nobody's, and are not looked up. */
export const ItemPath = z.object({ id: z.string().max(100) });

/** `?tenant=ID&limit=N&cursor=C` of lists of a tenant's own things. */
export const TenantListQuery = z.object({ ...TenantQuery.shape, ...PageQuery.shape });

/** The tenant that a call is about: the caller's own, or the one that an operator names. */
export function tenantOf(caller: Manager, query: z.output<typeof TenantQuery>): string {
  const tenant = query.tenant ?? caller.tenant;
  if (tenant === '') throw new Refusal(400, 'tenant-required', 'Name the tenant to act for: ?tenant=ID.');
  requireTenant(caller, tenant);
  return tenant;
}

/** Where the caller finds what was just made: with `?tenant=ID` for who came that way. */
export const locationOf = (path: string, { tenant }: z.output<typeof TenantQuery>): string =>
  `/manage/v1/${path}${tenant === undefined ? '' : `?tenant=${tenant}`}`;

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
