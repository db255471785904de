import { isExactNumber } from '#shared/formats/exact-json';
import { ItemRefusal, quoteForMessage } from '../items/item-refusal.ts';

/** A row of a table: its values by dotted path. */
export type FlatRow = ReadonlyMap<string, unknown>;

const DEPTH_MAX = 8;

/** The members of an object by their dotted paths: `address.city`, `tags.0`; a point within a name is written `\.`. */
export function flatRow(record: Readonly<Record<string, unknown>>): FlatRow {
  const row = new Map<string, unknown>();
  flatten(record, [], row);
  return row;
}

function flatten(value: object, path: readonly string[], row: Map<string, unknown>): void {
  if (path.length >= DEPTH_MAX) throw tooDeep();
  for (const [name, member] of Object.entries(value)) {
    const here = [...path, name];
    if (isContainer(member) && Object.keys(member).length > 0) flatten(member, here, row);
    else row.set(pathText(here), member);
  }
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !isExactNumber(value);

const pathText = (path: readonly string[]): string => path.map((name) => name.replace(/[\\.]/g, '\\$&')).join('.');

function pathOf(text: string): string[] {
  const names = (text.match(/(?:^|\.)(?:[^\\.]|\\.)*|\\$/gs) ?? []).map((name, index) =>
    (index === 0 ? name : name.slice(1)).replace(/\\(.)/gs, '$1'),
  );
  if (names.length > DEPTH_MAX) throw tooDeep();
  return names;
}

const tooDeep = (): ItemRefusal =>
  new ItemRefusal('unparseable-value', `The rows are nested more than ${DEPTH_MAX} deep.`);

interface Branch {
  readonly members: Map<string, Branch | { readonly leaf: unknown }>;
}

/** The object that `flatRow` would turn into this row. */
export function nested(row: FlatRow): Record<string, unknown> {
  const root: Branch = { members: new Map() };
  for (const [text, leaf] of row) {
    const path = pathOf(text);
    const last = path.pop() ?? '';
    let branch = root;
    for (const name of path) branch = branchAt(branch, name, text);
    if (branch.members.has(last)) throw collides(text);
    branch.members.set(last, { leaf });
  }
  return Object.fromEntries(valuesOf(root));
}

function branchAt({ members }: Branch, name: string, text: string): Branch {
  const member = members.get(name);
  if (member && 'leaf' in member) throw collides(text);
  const branch = member ?? { members: new Map() };
  members.set(name, branch);
  return branch;
}

const collides = (text: string): ItemRefusal =>
  new ItemRefusal('unparseable-value', `The path ${quoteForMessage(text)} holds both a value and members.`);

const valuesOf = ({ members }: Branch): [string, unknown][] =>
  [...members].map(([name, member]) => [name, 'leaf' in member ? member.leaf : listOrObject(member)]);

/** Members named 0, 1, 2 … make a list. */
function listOrObject(branch: Branch): unknown {
  const values = valuesOf(branch);
  const isList = values.every(([name], index) => name === String(index));
  return isList ? values.map(([, value]) => value) : Object.fromEntries(values);
}
