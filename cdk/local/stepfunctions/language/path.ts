/** Paths of state machines, from member to member: `$.image.slot`. Every other form is refused when a machine is made. */
import { isObject, type Json, type JsonObject } from '../../endpoint/json.ts';
import type { Reader } from './scope.ts';

export class PathNotFound extends Error {
  constructor(path: string) {
    super(`The JSONPath '${path}' could not be found in the input`);
  }
}

const PATH = /^(\$\$?)((?:\.[^\s.[\]'"?*(),:@&|=<>!]+)*)$/;

/** Reads one value of the input, or of the context object with `$$`. */
export function compilePath(path: string): Reader {
  const { names, ofContext } = parsed(path);
  return ({ input, context }) => {
    const value = names.reduce<Json | undefined>(memberOf, ofContext ? context : input);
    if (value === undefined) throw new PathNotFound(path);
    return value;
  };
}

/** Puts a value into a document, where the path need not exist yet. */
export type Placement = (document: Json, value: Json) => Json;

/** The result path of a state. */
export function compilePlacement(path: string): Placement {
  const { names, ofContext } = parsed(path);
  if (ofContext) throw new Error(`${path} is not a reference path into the input`);
  return (document, value) => placed(document, names, value);
}

function parsed(path: string): { readonly names: readonly string[]; readonly ofContext: boolean } {
  const [, root, members = ''] = PATH.exec(path) ?? [];
  if (root === undefined) throw new Error(`the local cloud does not have paths like ${path}, only those of members`);
  return { names: members.split('.').slice(1), ofContext: root === '$$' };
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? ownMember(value, name) : undefined;
}

function ownMember(value: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function placed(document: Json, [name, ...rest]: readonly string[], value: Json): Json {
  if (name === undefined) return value;
  if (!isObject(document)) throw new Error('the result path leads through a value that has no such member');
  const inner = ownMember(document, name) ?? {};
  // Built from entries, so that a member named __proto__ stays a member.
  return Object.fromEntries([
    ...Object.entries(document).flatMap(([other, old]) => (old === undefined ? [] : [[other, old] as const])),
    [name, placed(inner, rest, value)] as const,
  ]);
}
