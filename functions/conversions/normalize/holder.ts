import { contextWithin } from '../fields/context.ts';
import type { Kind } from '../fields/field.ts';
import type { Member, Members } from '../fields/fields.ts';
import { brokenText, VALUE_KINDS } from '../fields/value-kinds.ts';
import { isJsonObject, type JsonObject } from '../items/caller-record.ts';
import { normalizeAddress } from './address-rule.ts';
import { normalizeAmount } from './amount-rule.ts';
import { Draft, segment } from './draft.ts';
import type { Findings } from './findings.ts';
import { normalizeMeasure, normalizeUnit } from './measure-rule.ts';
import { normalizeName } from './name-rule.ts';
import type { Scope } from './scope.ts';
import type { Spot } from './spot.ts';
import { normalizeText } from './text-rule.ts';

interface Holder {
  readonly path: string;
  readonly members: Members;
  readonly scope: Scope;
  readonly findings: Findings;
}

/** Kinds that hold no text. */
const UNREAD: ReadonlySet<Kind> = new Set(['any', 'objects', 'flag']);

/** Normalizes every known member of an object, kind by kind, and the containers in it. */
export async function normalizeHolder(
  object: JsonObject,
  { path, members, scope, findings }: Holder,
): Promise<JsonObject> {
  const draft = new Draft(object, path, findings);
  const here = contextWithin(scope, draft.get);
  const inOrder = knownIn(draft, members).sort(([, one], [, other]) => one.turn - other.turn);
  for (const [name, member] of inOrder) await normalizeMember(draft, name, member, here);
  for (const [name, { inner }] of knownIn(draft, members)) {
    if (inner === undefined) continue;
    const holder = { path: path + segment(name), members: inner.members, scope: here, findings };
    const value = draft.get(name);
    if (isJsonObject(value)) draft.put(name, await normalizeHolder(value, holder));
    if (Array.isArray(value)) draft.put(name, await normalizeList(value, holder));
  }
  return draft.toObject();
}

function knownIn(draft: Draft, members: Members): [string, Member][] {
  const entries: [string, Member][] = [];
  for (const name of draft.names) {
    const member = members.get(name);
    if (member !== undefined) entries.push([name, member]);
  }
  return entries;
}

async function normalizeList(list: readonly unknown[], holder: Holder): Promise<unknown[]> {
  const normalized: unknown[] = [];
  for (const [index, item] of list.entries()) {
    const inner = { ...holder, path: holder.path + segment(index) };
    normalized.push(isJsonObject(item) ? await normalizeHolder(item, inner) : item);
  }
  return normalized;
}

async function normalizeMember(draft: Draft, name: string, member: Member, scope: Scope): Promise<void> {
  const value = draft.get(name);
  const spot = { draft, key: name, name, member, around: draft, scope };
  if (!Array.isArray(value)) return normalizeSpot(spot);
  const list = new Draft(Object.fromEntries(value.entries()), draft.path + segment(name), draft.findings);
  for (const key of list.names) await normalizeSpot({ ...spot, draft: list, key });
  draft.put(name, Object.values(list.toObject()));
}

async function normalizeSpot(spot: Spot): Promise<void> {
  const { draft, key, member } = spot;
  const value = draft.get(key);
  if (draft.isFree(key) || (member.inner !== undefined && isJsonObject(value))) return;
  const broken = typeof value === 'string' && !UNREAD.has(member.kind) ? brokenText(value) : undefined;
  if (broken !== undefined) return draft.leave(key, broken);
  switch (member.kind) {
    case 'amount':
      return normalizeAmount(spot);
    case 'measure':
      return normalizeMeasure(spot);
    case 'unit':
      return normalizeUnit(draft, key, spot);
    case 'name':
      return normalizeName(spot);
    case 'address':
      return normalizeAddress(spot);
    default: {
      const kind = VALUE_KINDS[member.kind];
      return kind && normalizeText(spot, kind);
    }
  }
}
