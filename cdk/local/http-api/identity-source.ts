/** Where a Lambda authoriser finds what identifies a caller: `$request.header.X-Key` and its kin. */
import { type ContextVariables, isContextVariable } from './context-variables.ts';
import { headersOf, type ReceivedRequest, splitTarget } from './request-event.ts';

/** What the values are read from. */
interface Identifiable {
  readonly request: ReceivedRequest;
  readonly variables: ContextVariables;
  readonly stageVariables: Readonly<Record<string, string>>;
}

/** Undefined when the request lacks the value; an empty one counts as missing. */
export type IdentitySource = (from: Identifiable) => string | undefined;

/** Throws for an expression that is none, or that names what is not known here. */
export function identitySource(expression: string): IdentitySource {
  const [, place, name = ''] =
    /^\$(request\.header|request\.querystring|context|stageVariables)\.(.+)$/.exec(expression) ?? [];
  const read = place === undefined ? undefined : readerOf(place, name);
  if (!read) throw new Error(`The local cloud does not know the identity source ${expression}.`);
  return (from) => read(from) || undefined;
}

function readerOf(place: string, name: string): IdentitySource | undefined {
  switch (place) {
    case 'request.header':
      return ({ request }) => headersOf(request)[name.toLowerCase()];
    case 'request.querystring':
      return ({ request }) => {
        const values = new URLSearchParams(splitTarget(request.target).query).getAll(name);
        return values.join(',');
      };
    case 'stageVariables':
      return ({ stageVariables }) => (Object.hasOwn(stageVariables, name) ? stageVariables[name] : undefined);
    default:
      return isContextVariable(name) ? ({ variables }) => String(variables[name] ?? '') : undefined;
  }
}
