import * as z from 'zod';
import { noSuch, Refusal } from '#shared/errors';
import type { HttpEvent } from '#shared/http/http-handler';
import { SUSPENDED } from './account-status.ts';
import { reaches, SCOPES, type Scope, scopeFor } from './management-key-scope.ts';
import { ROLES, type Role } from './role.ts';

/** The caller of the management API: a person or program of one tenant, or an operator, who may act for every tenant. */
export interface ManagementCaller {
  readonly tenant: string;
  readonly operator: boolean;
  /** The role of a person; absent for a key, which has scopes. */
  readonly role?: Role | undefined;
  /** The person of the token or the id of the key, for records of who did what. */
  readonly subject?: string | undefined;
  /** The name that the token gives the person, for display only: it is free text and not verified. */
  readonly name?: string | undefined;
  readonly credential?: 'person' | 'key' | undefined;
  /** True if the token was issued to the console, which never gives it to anybody else. */
  readonly isConsole?: boolean | undefined;
}

const Headers = z.record(z.string(), z.string());

/**
 * The context that the authoriser passes to the functions behind it: the caller, why the credential was refused, that
 * its account is suspended, that its role does not allow the route, or that it could not be checked. An authoriser of an HTTP API that denies a call cannot
 * give a reason, so it lets every call through with one of these, and `managementCallerOf` refuses.
 */
const Identity = z.union([
  z.object({ refused: z.string() }),
  z.object({ unavailable: z.literal(true) }),
  z.object({ suspended: z.literal(true) }),
  z.object({ limited: z.literal(true), rate: Headers }),
  z.object({ lacks: z.enum(ROLES), role: z.enum(ROLES), rate: Headers.optional() }),
  z.object({
    tenant: z.string(),
    operator: z.boolean(),
    role: z.enum(ROLES).optional(),
    scopes: z.array(z.enum(SCOPES)),
    subject: z.string().optional(),
    name: z.string().optional(),
    credential: z.enum(['person', 'key']).optional(),
    isConsole: z.boolean().optional(),
    /** The headers that state the limit of calls; absent if it is unknown at the moment. */
    rate: Headers.optional(),
  }),
]);
export type Identity = z.output<typeof Identity>;

/** Returns what the authoriser has found out about the caller of a request. */
function identityIn({ requestContext }: HttpEvent): Identity | undefined {
  const { authorizer } = requestContext as { readonly authorizer?: { readonly lambda?: unknown } };
  return z.safeParse(Identity, authorizer?.lambda).data;
}

/** The rate-limit headers for the caller of this request. */
export function rateHeadersOf(event: HttpEvent): Readonly<Record<string, string>> {
  const identity = identityIn(event);
  return (identity && 'rate' in identity && identity.rate) || {};
}

/** Returns the caller whom the authoriser has identified, if the credential's scopes allow this request. */
export function managementCallerOf(event: HttpEvent): ManagementCaller {
  const identity = identityIn(event);
  if (!identity) throw unauthorized('The caller is not known.');
  if ('refused' in identity) throw unauthorized(identity.refused);
  if ('unavailable' in identity) {
    throw new Refusal(503, 'unavailable', 'Credentials cannot be checked at the moment. Try again in a few seconds.');
  }
  if ('suspended' in identity) throw new Refusal(403, 'account-suspended', SUSPENDED);
  if ('limited' in identity) throw new Refusal(429, 'rate-limited', TOO_MANY);
  if ('lacks' in identity) throw roleRequired(identity);
  const { scopes, rate: _, ...manager } = identity;
  const { tenant, operator } = manager;
  if (tenant === '' && !operator) throw new Refusal(401, 'no-tenant', 'The token does not name a tenant.');
  requireScope(scopes, scopeFor({ method: event.requestContext.http.method, routeKey: event.routeKey }));
  return manager;
}

const TOO_MANY = 'Too many calls per second. Wait as long as Retry-After says, and a little longer at random.';

function roleRequired({ lacks, role }: { readonly lacks: Role; readonly role: Role }): Refusal {
  if (lacks === 'operator') return operatorRequired();
  return new Refusal(403, 'role-required', `This requires the role ${lacks}; you have the role ${role}.`);
}

const unauthorized = (detail: string) => new Refusal(401, 'unauthorized', detail);

function requireScope(scopes: readonly Scope[], needed: Scope): void {
  if (reaches(scopes, needed)) return;
  throw new Refusal(403, 'scope-required', `This requires the scope ${needed}; the key has ${scopes.join(', ')}.`);
}

/**
 * Refuses callers other than operators. The 403 reveals that the route exists; a resource of another tenant must look
 * missing instead.
 */
export function requireOperator({ operator }: ManagementCaller): void {
  if (!operator) throw operatorRequired();
}

const operatorRequired = () => new Refusal(403, 'operator-required', 'Only an operator may do this.');

/** The tenant in a path, if the caller may act for it. Another tenant looks like one that does not exist. */
export function requireTenant({ tenant, operator }: ManagementCaller, id: string): void {
  if (!operator && tenant !== id) noSuch('account');
}

export const TenantId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be the id of a tenant');

/** A caller that works on resources of one tenant. */
export interface TenantCaller {
  /** The caller's own tenant, or the one that an operator names. */
  readonly tenant: string;
  /** The tenant named by `?tenant=ID`. */
  readonly named: string | undefined;
  readonly operator: boolean;
  readonly subject?: string | undefined;
  readonly name?: string | undefined;
}

/** The tenant that a call refers to. A tenant that names another one gets the 404 of one that does not exist. */
export function tenantCallerOf(event: HttpEvent): TenantCaller {
  const manager = managementCallerOf(event);
  const named = new URLSearchParams(event.rawQueryString).get('tenant') ?? undefined;
  const isId = named === undefined || TenantId.safeParse(named).success;
  if (!isId) throw new Refusal(400, 'invalid-input', 'tenant: must be the id of a tenant');
  const tenant = named ?? manager.tenant;
  if (tenant === '') throw new Refusal(400, 'tenant-required', 'Specify the tenant to act for: ?tenant=ID.');
  requireTenant(manager, tenant);
  return { tenant, named, operator: manager.operator, subject: manager.subject, name: manager.name };
}
