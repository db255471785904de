import type { Screen, ScreenRoute, Screens } from '../pages/screen.ts';

export interface Match {
  /** As the table names it, without values: fit for a log. */
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

/** Finds the screen of a path. A segment in braces takes one segment of the path, which is decoded. */
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
    for (const { route, method: own, segments: wanted, screen } of this.patterns) {
      if (own !== method || wanted.length !== segments.length) continue;
      const path = valuesOf(wanted, segments);
      if (path) return { route, screen, path };
    }
    return undefined;
  }
}

/** Undefined where the text is no valid percent-encoding: such a segment matches nothing. */
function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function valuesOf(wanted: readonly string[], segments: readonly (string | undefined)[]) {
  const path: Record<string, string> = {};
  for (const [index, pattern] of wanted.entries()) {
    const segment = segments[index];
    const name = /^\{(\w+)\}$/.exec(pattern)?.[1];
    if (segment === undefined || (name === undefined ? segment !== pattern : segment === '')) return undefined;
    if (name !== undefined) path[name] = segment;
  }
  return path;
}
