/** Chooses the route of an HTTP API for a request. */

/** `GET /v3/users/{token}`, `ANY /{proxy+}` or `$default`. */
export type RouteKey = string;

interface Segment {
  readonly kind: 'literal' | 'variable' | 'greedy';
  readonly text: string;
}

export interface RoutePattern {
  readonly key: RouteKey;
  readonly method: string;
  readonly segments: readonly Segment[];
}

export interface RouteMatch<Route> {
  readonly route: Route;
  readonly pathParameters: Readonly<Record<string, string>>;
}

const DEFAULT: RoutePattern = { key: '$default', method: 'ANY', segments: [] };

export function parseRouteKey(key: RouteKey): RoutePattern {
  if (key === '$default') return DEFAULT;
  const [method = '', path = '', ...rest] = key.split(' ');
  if (!/^[A-Z]+$/.test(method) || !path.startsWith('/') || rest.length > 0) throw new Error(`${key} is no route key.`);
  const segments = segmentsOf(path).map(parseSegment);
  const greedy = segments.findIndex(({ kind }) => kind === 'greedy');
  if (greedy >= 0 && greedy < segments.length - 1) throw new Error(`${key}: nothing may follow a greedy variable.`);
  return { key, method, segments };
}

function parseSegment(text: string): Segment {
  const [, name, plus] = /^\{([^{}+]+)(\+)?\}$/.exec(text) ?? [];
  if (name === undefined) return { kind: 'literal', text };
  return { kind: plus ? 'greedy' : 'variable', text: name };
}

/** `/a/b` has two segments, `/a/` an empty second one, and `/` none. An HTTP API takes an encoded slash for a plain one. */
function segmentsOf(path: string): string[] {
  return path === '/' ? [] : path.slice(1).split(/\/|%2f/i);
}

export class RouteTable<Route> {
  private readonly routes: { pattern: RoutePattern; route: Route }[] = [];

  add(key: RouteKey, route: Route): void {
    const pattern = parseRouteKey(key);
    if (this.routes.some(({ pattern: other }) => other.key === key))
      throw new Error(`The route ${key} is there twice.`);
    this.routes.push({ pattern, route });
  }

  /** The most specific route: text before a variable, segment by segment, a greedy variable last; a method before ANY. */
  find(method: string, rawPath: string): RouteMatch<Route> | undefined {
    const segments = segmentsOf(rawPath);
    const fitting = this.routes.filter(({ pattern }) => fits(pattern, method, segments));
    const [best] = fitting.sort((one, other) => compare(one.pattern, other.pattern));
    return best && { route: best.route, pathParameters: parametersOf(best.pattern, segments) };
  }
}

function fits(
  { key, method: routeMethod, segments: pattern }: RoutePattern,
  method: string,
  segments: string[],
): boolean {
  if (key === '$default') return true;
  if (routeMethod !== 'ANY' && routeMethod !== method) return false;
  const last = pattern.at(-1);
  if (last?.kind === 'greedy' ? segments.length < pattern.length : segments.length !== pattern.length) return false;
  return pattern.every((segment, i) => {
    if (segment.kind === 'literal') return segment.text === decoded(segments[i] ?? '');
    if (segment.kind === 'greedy') return segments.slice(i).join('/') !== '';
    return segments[i] !== '';
  });
}

const RANKS = { literal: 0, variable: 1, greedy: 2 };

/** Negative when the first is the more specific one. */
function compare(one: RoutePattern, other: RoutePattern): number {
  if (one.key === '$default' || other.key === '$default') return one.key === '$default' ? 1 : -1;
  for (let i = 0; i < Math.max(one.segments.length, other.segments.length); i++) {
    const difference = rankAt(one, i) - rankAt(other, i);
    if (difference !== 0) return difference;
  }
  return Number(one.method === 'ANY') - Number(other.method === 'ANY');
}

function rankAt({ segments }: RoutePattern, index: number): number {
  const segment = segments[index];
  return segment ? RANKS[segment.kind] : RANKS.greedy + 1;
}

function parametersOf({ segments: pattern }: RoutePattern, segments: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [i, { kind, text }] of pattern.entries()) {
    if (kind === 'variable') parameters[text] = decoded(segments[i] ?? '');
    if (kind === 'greedy') parameters[text] = segments.slice(i).map(decoded).join('/');
  }
  return parameters;
}

/** A malformed escape stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
