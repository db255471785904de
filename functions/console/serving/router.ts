import type { Screen, ScreenRoute, Screens } from '../pages/screen.ts';

export interface Match {
  /** The route without values, for the log. */
  readonly route: ScreenRoute;
  readonly screen: Screen;
  readonly path: Readonly<Record<string, string>>;
}

interface Pattern {
  readonly route: ScreenRoute;
  readonly method: string;
  readonly segments: readonly string[];
  readonly screen: Screen;
}

/** Finds the screen of a path. A segment in braces matches one segment of the path, which is decoded. */
export class Router {
  private readonly patterns: readonly Pattern[];

  constructor(screens: Screens) {
    this.patterns = Object.entries(screens).map(([route, screen]) => {
      const [method = '', path = ''] = route.split(' ');
      return { route: route as ScreenRoute, method, segments: path.split('/'), screen };
    });
  }

  match(method: string, rawPath: string): Match | undefined {
    const segments = rawPath.replace(/\/$/, '').split('/').map(decoded);
    for (const { route, method: own, segments: pattern, screen } of this.patterns) {
      if (own !== method || pattern.length !== segments.length) continue;
      const path = valuesOf(pattern, segments);
      if (path) return { route, screen, path };
    }
    return undefined;
  }
}

/** Decodes a segment; undefined for invalid percent-encoding, which matches nothing. */
function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function valuesOf(patterns: readonly string[], segments: readonly (string | undefined)[]) {
  const path: Record<string, string> = {};
  for (const [index, pattern] of patterns.entries()) {
    const segment = segments[index];
    const name = /^\{(\w+)\}$/.exec(pattern)?.[1];
    if (segment === undefined || (name === undefined ? segment !== pattern : segment === '')) return undefined;
    if (name !== undefined) path[name] = segment;
  }
  return path;
}
