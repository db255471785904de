import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { routeKeysIn } from '../../cdk/constructs/functions/handler-routes.ts';
import { ROUTE_ROLES, withinRole } from '../../functions/edge/route-roles.ts';
import type { Role } from '../../shared/auth/role.ts';
import { localFunctions } from '../support/cloud/local-assembly.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const HANDLERS = globSync('functions/**/*.handler.ts', { cwd: ROOT })
  .map((file) => file.replaceAll('\\', '/').slice('functions/'.length, -'.handler.ts'.length))
  .sort();

afterAll(() => vi.unstubAllEnvs());

/** The environment of each function of the template, by the name of its handler. */
let functions: Map<string, Readonly<Record<string, string>>>;
beforeAll(async () => {
  functions = await functionsOfTemplates();
});

/** The variables of deployed functions are compared in `stacks.test.ts`. */
async function functionsOfTemplates(): Promise<typeof functions> {
  const entries = (await localFunctions()).map(({ Properties, Parameters }) => {
    const valueOf = (value: string | { readonly Ref?: string }) => {
      const text = typeof value === 'string' ? value : Parameters[value.Ref ?? '']?.Default;
      return typeof text === 'string' ? text : 'named-at-deployment';
    };
    const variables: Record<string, string> = Properties['Environment']?.Variables ?? {};
    return [
      String(Properties['Description'] ?? '').split('. ')[0] ?? '',
      Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, valueOf(value)])),
    ] as const;
  });
  return new Map(entries);
}

interface LoadedHandler {
  (event: object, context: object): Promise<{ readonly statusCode: number }>;
  readonly routes?: readonly string[];
  readonly recorded?: readonly string[];
}

/** Routes of the management API that take another method than GET and write no line of the audit log. */
const UNRECORDED: Readonly<Record<string, string>> = {
  'POST /manage/v1/events':
    'Data of the tenant that fires webhooks, not a change of settings; the delivery log has it.',
  'POST /manage/v1/rules/preview': 'Shows what a rule would send and changes nothing.',
  'POST /manage/v1/imports/preview': 'Shows what an import would read and changes nothing.',
  'POST /manage/v1/loyalty/imports/preview': 'Shows what an import would read and changes nothing.',
  'ANY /manage/{proxy+}': 'Answers 404 and changes nothing.',
};

const handlers = new Map<string, Promise<LoadedHandler>>();

/** A handler under the environment that the template gives it. */
function loaded(name: string): Promise<LoadedHandler> {
  const loaded = handlers.get(name);
  if (loaded !== undefined) return loaded;
  vi.resetModules();
  for (const [variable, value] of Object.entries(functions.get(name) ?? {})) vi.stubEnv(variable, value);
  const handler = import(join(ROOT, 'functions', `${name}.handler.ts`)).then(
    (module: { readonly handler: LoadedHandler }) => module.handler,
  );
  handlers.set(name, handler);
  return handler;
}

const INVOCATION = { awsRequestId: 'invocation-1' };
const eventOf = (routeKey: string, identity?: object) => ({
  routeKey,
  rawQueryString: '',
  headers: { authorization: 'Bearer somebody' },
  requestContext: {
    requestId: 'r-1',
    http: { method: routeKey.split(' ')[0]?.replace('ANY', 'POST') },
    ...(identity && { authorizer: { lambda: identity } }),
  },
});

describe('the table of handlers', () => {
  it('has every handler, each under the path of its own file', () => {
    const source = readFileSync(join(ROOT, 'cdk', 'handlers.ts'), 'utf8');
    const entries = [...source.matchAll(/'([^']+)': typeof import\('\.\.\/functions\/([^']+)\.handler\.ts'\)/g)];
    for (const [, name, path] of entries) expect(name).toBe(path);
    expect(entries.map(([, name = '']) => name).sort((a, b) => (a < b ? -1 : 1))).toEqual(HANDLERS);
  });

  it('lists all functions of the template', () => {
    expect([...functions.keys()].sort()).toEqual(HANDLERS);
  });
});

describe('the routes of the template', () => {
  it('are those that the handlers answer, under the environment that the template gives them', async () => {
    let routed = 0;
    for (const name of functions.keys()) {
      const handler = await loaded(name);
      expect(routeKeysIn(join(ROOT, 'functions', `${name}.handler.ts`)), name).toEqual(handler.routes ?? []);
      if (handler.routes !== undefined) routed += 1;
    }
    expect(routed).toBeGreaterThan(8);
  });

  it('below /manage serve nobody whom the authoriser has not identified, or whose key has not the scope', async () => {
    let refused = 0;
    for (const name of functions.keys()) {
      const handler = await loaded(name);
      for (const route of (handler.routes ?? []).filter((key) => / \/manage\/(?!v1\/openapi\.json$)/.test(key))) {
        const status = async (identity?: object) => (await handler(eventOf(route, identity), INVOCATION)).statusCode;
        expect(await status(), route).toBe(401);
        expect(await status({}), route).toBe(401);
        expect(await status({ refused: 'The token is not valid.' }), route).toBe(401);
        expect(await status({ unavailable: true }), route).toBe(503);
        expect(await status({ tenant: 'acme', operator: true, scopes: [] }), route).toBe(403);
        expect(await status({ lacks: 'admin', role: 'viewer' }), route).toBe(403);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(25);
  });

  it('below /manage write a line of the audit log before they change anything, or stand in a list with the reason', async () => {
    const changing: string[] = [];
    const recorded: string[] = [];
    for (const name of functions.keys()) {
      const handler = await loaded(name);
      changing.push(...(handler.routes ?? []).filter((key) => /^(?!GET ).* \/manage\//.test(key)));
      recorded.push(...(handler.recorded ?? []).filter((key) => !key.startsWith('GET ')));
    }
    expect(changing.filter((key) => !recorded.includes(key)).sort()).toEqual(Object.keys(UNRECORDED).sort());
    expect(recorded.length).toBeGreaterThan(40);
  });

  it('below /manage each require a role, in one table that has no other routes', async () => {
    const routes: string[] = [];
    for (const name of functions.keys()) routes.push(...((await loaded(name)).routes ?? []));
    const managed = routes.filter((key) => / \/manage\/(?!v1\/openapi\.json$)/.test(key));
    expect([...ROUTE_ROLES.keys()].sort()).toEqual(managed.sort());
  });

  it('below /manage let a viewer change nothing, and a reviewer only what belongs to a review', () => {
    const changing = [...ROUTE_ROLES.keys()].filter((route) => !route.startsWith('GET ')).sort();
    const allowedFor = (role: Role) =>
      changing.filter((route) => {
        const identity = { tenant: 'acme', operator: role === 'operator', role, scopes: ['manage' as const] };
        return 'tenant' in withinRole(identity, route);
      });
    const harmless = ['ANY /manage/{proxy+}', 'POST /manage/v1/rules/preview'];
    const reviewing = [
      'DELETE /manage/v1/image-validations/{id}/claim',
      'POST /manage/v1/image-validations/{id}/claim',
      'POST /manage/v1/image-validations/{id}/examination',
      'POST /manage/v1/image-validations/{id}/review',
    ];
    expect(allowedFor('viewer')).toEqual(harmless);
    expect(allowedFor('reviewer')).toEqual([...harmless, ...reviewing].sort());
    expect(allowedFor('operator')).toEqual(changing);
    expect(allowedFor('admin').length).toBeGreaterThan(40);
  });

  it('that stand in no table are for operators only', () => {
    const admin = { tenant: 'acme', operator: false, role: 'admin' as const, scopes: ['manage' as const] };
    expect(withinRole(admin, 'GET /manage/v1/unknown')).toEqual({ lacks: 'operator', role: 'admin' });
    expect(withinRole(admin, 'HEAD /manage/v1/rules')).toEqual(admin);
    const { role: _, ...key } = admin;
    expect(withinRole(key, 'POST /manage/v1/rules')).toEqual(key);
    expect(withinRole(key, 'GET /manage/v1/system')).toEqual({ lacks: 'operator', role: 'admin' });
    expect(withinRole({ refused: 'No.' }, 'GET /manage/v1/rules')).toEqual({ refused: 'No.' });
  });
});
