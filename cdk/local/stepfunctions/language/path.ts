/** JSONPath, as far as state machines of this project use it. Filters and functions are refused when a machine is made. */
import { isObject, type Json, type JsonObject } from '../../endpoint/json.ts';
import type { Reader } from './scope.ts';

type Selector =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly from: number | undefined; readonly to: number | undefined }
  | { readonly kind: 'all' }
  /** The value and everything below it. */
  | { readonly kind: 'deep' };

export class PathNotFound extends Error {
  constructor(path: string) {
    super(`The JSONPath '${path}' could not be found in the input`);
  }
}

const FORMS: readonly [RegExp, (groups: readonly (string | undefined)[]) => Selector][] = [
  [/\.\.(?=\[)/y, () => ({ kind: 'deep' })],
  [/\.(?=\.[^.[])/y, () => ({ kind: 'deep' })],
  [/\.\*|\[\*\]/y, () => ({ kind: 'all' })],
  [/\.([^\s.[\]'"?*(),:@&|=<>!]+)/y, ([, name = '']) => ({ kind: 'member', name })],
  [/\['((?:[^'\\]|\\.)*)'\]/y, ([, name = '']) => ({ kind: 'member', name: unescaped(name) })],
  [/\["((?:[^"\\]|\\.)*)"\]/y, ([, name = '']) => ({ kind: 'member', name: unescaped(name) })],
  [/\[(-?\d+)\]/y, ([, index]) => ({ kind: 'index', index: Number(index) })],
  [/\[(-?\d*):(-?\d*)\]/y, ([, from, to]) => ({ kind: 'slice', from: bound(from), to: bound(to) })],
];

const unescaped = (name: string) => name.replaceAll(/\\(.)/g, '$1');
const bound = (text: string | undefined) => (text === undefined || text === '' ? undefined : Number(text));

/** Reads one value, or a list of values when the path has a wildcard, a slice or a descent. */
export function compilePath(path: string): Reader {
  const { selectors, ofContext } = parsed(path);
  const single = selectors.every(isSingle);
  return ({ input, context }) => {
    const found = selectors.reduce<readonly Json[]>(select, [ofContext ? context : input]);
    if (!single) return found;
    const [value] = found;
    if (value === undefined) throw new PathNotFound(path);
    return value;
  };
}

/** Puts a value into a document, where the path need not exist yet. */
export type Placement = (document: Json, value: Json) => Json;

/** The result path of a state. */
export function compilePlacement(path: string): Placement {
  const { selectors, ofContext } = parsed(path);
  if (ofContext || !selectors.every(isSingle)) throw new Error(`${path} is not a reference path into the input`);
  return (document, value) => placed(document, selectors, value);
}

/** A path that selects one value of the input. */
export function compileReference(path: string): Reader {
  if (!parsed(path).selectors.every(isSingle)) throw new Error(`${path} is not a reference path`);
  return compilePath(path);
}

function parsed(path: string): { readonly selectors: readonly Selector[]; readonly ofContext: boolean } {
  const [root] = /^\$\$?/.exec(path) ?? [];
  if (root === undefined) throw new Error(`${path} is not a path: it does not begin with $`);
  const selectors: Selector[] = [];
  for (let at = root.length; at < path.length; ) {
    const form = FORMS.flatMap(([pattern, make]) => {
      pattern.lastIndex = at;
      const match = pattern.exec(path);
      return match ? [{ selector: make(match), end: pattern.lastIndex }] : [];
    })[0];
    if (!form) throw new Error(`the local cloud does not support the path ${path}, from "${path.slice(at)}" on`);
    selectors.push(form.selector);
    at = form.end;
  }
  return { selectors, ofContext: root === '$$' };
}

const isSingle = ({ kind }: Selector) => kind === 'member' || kind === 'index';

function select(values: readonly Json[], selector: Selector): readonly Json[] {
  return values.flatMap((value) => selected(value, selector));
}

function selected(value: Json, selector: Selector): readonly Json[] {
  switch (selector.kind) {
    case 'member':
      return isObject(value) ? present(ownMember(value, selector.name)) : [];
    case 'index':
      return Array.isArray(value) ? present(value.at(selector.index)) : [];
    case 'slice':
      return Array.isArray(value) ? value.slice(selector.from, selector.to) : [];
    case 'all':
      return childrenOf(value);
    default:
      return [value, ...childrenOf(value).flatMap((child) => selected(child, selector))];
  }
}

const present = (value: Json | undefined): readonly Json[] => (value === undefined ? [] : [value]);

function ownMember(value: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function childrenOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value).flatMap((child) => present(child)) : [];
}

function placed(document: Json, selectors: readonly Selector[], value: Json): Json {
  const [selector, ...rest] = selectors;
  if (!selector) return value;
  if (selector.kind === 'member' && isObject(document)) {
    const inner = ownMember(document, selector.name) ?? {};
    // Built from entries, so that a member named __proto__ stays a member.
    return Object.fromEntries([
      ...Object.entries(document).flatMap(([name, old]) => (old === undefined ? [] : [[name, old] as const])),
      [selector.name, placed(inner, rest, value)] as const,
    ]);
  }
  if (selector.kind === 'index' && Array.isArray(document) && selector.index in document) {
    return document.with(selector.index, placed(document[selector.index], rest, value));
  }
  throw new Error('the result path leads through a value that has no such member');
}
