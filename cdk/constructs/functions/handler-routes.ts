import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HandlerName, RoutedHandlerName } from '../../handlers.ts';

const FUNCTIONS = join(import.meta.dirname, '..', '..', '..', 'functions');

export interface HandlerRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';
  readonly path: string;
}

/** The routes of a handler. `test/cdk/handlers.test.ts` compares them with those of the loaded handler. */
export function routesOf(handler: RoutedHandlerName): readonly HandlerRoute[] {
  const routes = routeKeysIn(sourceFile(handler)).map(routeOf);
  if (routes.length === 0) throw new Error(`The handler ${handler} has no routes.`);
  return routes;
}

export const hasRoutes = (handler: HandlerName): handler is RoutedHandlerName =>
  routeKeysIn(sourceFile(handler)).length > 0;

const sourceFile = (handler: HandlerName) => join(FUNCTIONS, `${handler}.handler.ts`);

const DESCRIBED = /\broute: '([A-Z]+ \/[^']*)'/g;
const TABLE = /\bhttpRoutes\(\{([\s\S]*?)\}\);/;
const KEY = /'([A-Z]+ \/[^']*)':/g;

/**
 * All that a template takes from the source of a handler: the routes of the operations in the file beside it, or the
 * keys of the table that it passes to `httpRoutes`. They are read as text, since a handler loads only where its
 * environment is set. A worker has none. @param file of the handler
 */
export function routeKeysIn(file: string): readonly string[] {
  const described = file.replace(/\.handler\.ts$/, '.operations.ts');
  const keys = existsSync(described)
    ? readFileSync(described, 'utf8').matchAll(DESCRIBED)
    : (TABLE.exec(readFileSync(file, 'utf8'))?.[1]?.matchAll(KEY) ?? []);
  return [...keys].map(([, key = '']) => key);
}

function routeOf(key: string): HandlerRoute {
  const [method = '', path = ''] = key.split(' ');
  return { method: method as HandlerRoute['method'], path };
}

/** HEAD is answered by the function that answers GET. */
export const withHead = (route: HandlerRoute) =>
  route.method === 'GET' ? [route, { method: 'HEAD' as const, path: route.path }] : [route];

/** The keys of all routes that the gateway has in a stage with these domains. */
export const routeKeysOf = (domains: readonly string[]): string[] =>
  ['edge', 'reference', ...domains]
    .flatMap((domain) => routesOfFolder(`${domain}/`))
    .flatMap(withHead)
    .map(({ method, path }) => `${method} ${path}`)
    .sort();

/**
 * Each path below one of the roots and its methods, for `PATH_METHODS`: a line with the root, then lines such as
 * `GET,PATCH rules/*`, with `*` for variables. A function has 4 KB for all its variables.
 */
export function pathMethods(...roots: readonly string[]): string {
  const routes = routesOfFolder('').filter(({ method }) => method !== 'ANY');
  return roots
    .map((root) => {
      const methods = new Map<string, string[]>();
      for (const { method, path } of routes) {
        if (!path.startsWith(root)) continue;
        const pattern = path.slice(root.length).replaceAll(/\{\w+\}/g, '*');
        methods.set(pattern, [...(methods.get(pattern) ?? []), method]);
      }
      return [root, ...[...methods].map(([path, each]) => `${each.sort().join(',')} ${path}`)].join('\n');
    })
    .join('\n');
}

const routesOfFolder = (folder: string): HandlerRoute[] =>
  globSync(`${folder}**/*.handler.ts`, { cwd: FUNCTIONS })
    .sort()
    .flatMap((file) => routeKeysIn(join(FUNCTIONS, file)))
    .map(routeOf);
