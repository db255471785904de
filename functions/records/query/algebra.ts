import type { Query } from './query.ts';

export const ALL: Query = { kind: 'all' };
export const NONE: Query = { kind: 'none' };

/** The intersection, without the parts that change nothing. */
export function and(parts: readonly Query[]): Query {
  return join('and', parts, ALL, NONE);
}

/** The union, without the parts that change nothing. */
export function or(parts: readonly Query[]): Query {
  return join('or', parts, NONE, ALL);
}

export function not(query: Query): Query {
  switch (query.kind) {
    case 'all':
      return NONE;
    case 'none':
      return ALL;
    case 'not':
      return query.of;
    default:
      return { kind: 'not', of: query };
  }
}

function join(kind: 'and' | 'or', parts: readonly Query[], neutral: Query, absorbing: Query): Query {
  const of: Query[] = [];
  for (const part of parts) {
    if (part.kind === absorbing.kind) return absorbing;
    if (part.kind === kind) for (const inner of part.of) of.push(inner);
    else if (part.kind !== neutral.kind) of.push(part);
  }
  const [first] = of;
  if (first === undefined) return neutral;
  return of.length === 1 ? first : { kind, of };
}
