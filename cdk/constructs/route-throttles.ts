import type { Settings } from '../settings.ts';

/** Requests per second, and burst, of all callers together. */
export interface Throttle {
  readonly ratePerSecond: number;
  readonly burst: number;
}

/** The kinds of routes that outsiders call without a credential, or with a wrong one. */
export type ThrottledKind = 'signIn' | 'unknownPaths' | 'publicRoutes';

/**
 * The throttle that a route has by itself; undefined for routes that share that of the stage. Metered routes share it: they
 * refuse a forged key without a read, and limit each account in words of their own.
 */
export function throttleOf(routeKey: string, { routeThrottles }: Pick<Settings, 'routeThrottles'>) {
  const kind = kindOf(routeKey);
  return kind && routeThrottles[kind];
}

/**
 * Routes that a deployed stage has settings of, by its template, and the next one has not. API Gateway keeps what a template
 * leaves out, and refuses every later change of a stage with settings of a route that is gone.
 */
export function droppedThrottles(deployedTemplate: string, isThrottled: (routeKey: string) => boolean): string[] {
  const { Resources } = JSON.parse(deployedTemplate) as Template;
  return Object.values(Resources)
    .flatMap(({ Properties }) => Object.keys(Properties?.RouteSettings ?? {}))
    .filter((key) => !isThrottled(key));
}

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Properties?: { readonly RouteSettings?: object } }>>;
}

function kindOf(routeKey: string): ThrottledKind | undefined {
  const [method = '', path = ''] = routeKey.split(' ');
  if (SIGN_IN.has(routeKey)) return 'signIn';
  if (method === 'ANY') return 'unknownPaths';
  return /^\/(?:v3|priv|api)\/|^\/(?:docs(?:\/|$)|$)|\/openapi\.json$/.test(path) ? 'publicRoutes' : undefined;
}

const SIGN_IN = new Set(['POST /console/sign-in', 'POST /console/sign-in/next', 'POST /oauth/token']);
