import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HandlerName, RoutedHandlerName } from '../../handlers.ts';

const FUNCTIONS = join(import.meta.dirname, '..', '..', '..', 'functions');

export interface HandlerRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';
  readonly path: string;
}

/**
 * The routes of a handler: the keys of the table that it passes to `httpRoutes`, read from its source, since the module
 * loads only where its environment is set. `test/cdk/handlers.test.ts` compares them with those of the loaded handler.
 */
export function routesOf(handler: RoutedHandlerName): readonly HandlerRoute[] {
  return routesIn(sourceOf(handler));
}

export const hasRoutes = (handler: HandlerName): handler is RoutedHandlerName =>
  routeTable(sourceOf(handler)) !== undefined;

const sourceOf = (handler: HandlerName) => readFileSync(join(FUNCTIONS, `${handler}.handler.ts`), 'utf8');

const TABLE = /\bhttpRoutes\(\{([\s\S]*?)\}\);/;

/** All that a template takes from the source of a handler. */
export const routeTable = (source: string): string | undefined => TABLE.exec(source)?.[1];

export function routesIn(source: string): readonly HandlerRoute[] {
  const keys = routeTable(source)?.matchAll(/'(GET|POST|PUT|PATCH|DELETE|ANY) (\/[^']*)':/g) ?? [];
  const routes = [...keys].map(([, method, path]) => ({ method, path }) as HandlerRoute);
  if (routes.length === 0) throw new Error('The handler has no table of routes.');
  return routes;
}

/** HEAD is answered by the function that answers GET. */
export const withHead = (route: HandlerRoute) =>
  route.method === 'GET' ? [route, { method: 'HEAD' as const, path: route.path }] : [route];

/** The keys of all routes that the gateway has in a stage with these domains. */
export const routeKeysOf = (domains: readonly string[]): string[] =>
  ['edge', ...domains]
    .flatMap((domain) => routesOfFolder(`${domain}/`))
    .flatMap(withHead)
    .map(({ method, path }) => `${method} ${path}`)
    .sort();

/**
 * Each path below one of the roots and its methods, as lines for `PATH_METHODS`, with `*` for variables: what all handlers
 * of the service have. A function has 4 KB for all its variables.
 */
export function pathMethods(...roots: readonly string[]): string {
  const methods = new Map<string, string[]>();
  for (const { method, path } of routesOfFolder('')) {
    if (method === 'ANY' || !roots.some((root) => path.startsWith(root))) continue;
    const pattern = path.replaceAll(/\{\w+\}/g, '*');
    methods.set(pattern, [...(methods.get(pattern) ?? []), method]);
  }
  return [...methods].map(([path, each]) => `${each.sort().join(',')} ${path}`).join('\n');
}

const routesOfFolder = (folder: string): HandlerRoute[] =>
  globSync(`${folder}**/*.handler.ts`, { cwd: FUNCTIONS })
    .sort()
    .map((file) => readFileSync(join(FUNCTIONS, file), 'utf8'))
    .filter((source) => routeTable(source) !== undefined)
    .flatMap(routesIn);
