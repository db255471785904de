import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { routesIn } from '../../cdk/constructs/handler-routes.ts';
import { fiveServices } from '../../cdk/five-services.ts';
import { TEMPLATES_ONLY } from '../support/templates-only.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const HANDLERS = globSync('functions/**/*.handler.ts', { cwd: ROOT })
  .map((file) => file.replaceAll('\\', '/').slice('functions/'.length, -'.handler.ts'.length))
  .sort();

const folder = mkdtempSync(join(tmpdir(), 'handlers-'));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

interface FunctionResource {
  readonly Properties: {
    readonly Description?: string;
    readonly Environment?: { readonly Variables: Readonly<Record<string, unknown>> };
  };
}

let functions: Map<string, FunctionResource['Properties']>;
// Bundles every handler where its sources are new.
beforeAll(() => {
  functions = functionsOfTemplate();
});

/** The functions of the template by the name of their handler. */
function functionsOfTemplate(): Map<string, FunctionResource['Properties']> {
  const { edge, domains } = fiveServices(new App({ context: TEMPLATES_ONLY, outdir: folder }));
  const found = [edge, ...domains].flatMap((stack) =>
    Object.values(Template.fromStack(stack).findResources('AWS::Lambda::Function') as Record<string, FunctionResource>),
  );
  return new Map(found.map(({ Properties }) => [(Properties.Description ?? '').split('. ')[0] ?? '', Properties]));
}

interface LoadedHandler {
  (event: object, context: object): Promise<{ readonly statusCode: number }>;
  readonly routes?: readonly string[];
}

/** A handler under the environment that the template gives it. */
async function loaded(name: string): Promise<{ handler: LoadedHandler; source: string }> {
  vi.resetModules();
  for (const [variable, value] of Object.entries(functions.get(name)?.Environment?.Variables ?? {})) {
    vi.stubEnv(variable, typeof value === 'string' ? value : 'named-at-deployment');
  }
  const file = join(ROOT, 'functions', `${name}.handler.ts`);
  const { handler } = (await import(file)) as { handler: LoadedHandler };
  return { handler, source: readFileSync(file, 'utf8') };
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
      const { handler, source } = await loaded(name);
      if (handler.routes === undefined) expect(source, name).not.toContain('httpRoutes(');
      else {
        expect(
          routesIn(source).map(({ method, path }) => `${method} ${path}`),
          name,
        ).toEqual(handler.routes);
        routed += 1;
      }
    }
    expect(routed).toBeGreaterThan(8);
  });

  it('below /manage serve nobody whom the authoriser has not identified, or whose key has not the scope', async () => {
    let refused = 0;
    for (const name of functions.keys()) {
      const { handler } = await loaded(name);
      for (const route of (handler.routes ?? []).filter((key) => key.includes(' /manage/'))) {
        const status = async (identity?: object) => (await handler(eventOf(route, identity), INVOCATION)).statusCode;
        expect(await status(), route).toBe(401);
        expect(await status({}), route).toBe(401);
        expect(await status({ refused: 'The token is not valid.' }), route).toBe(401);
        expect(await status({ unavailable: true }), route).toBe(503);
        expect(await status({ tenant: 'acme', operator: true, scopes: [] }), route).toBe(403);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(25);
  });

  it('cannot be read from a handler without a table', () => {
    expect(() => routesIn('export const handler = invocation(work);')).toThrow('no table of routes');
  });
});
