import { numberText } from '#shared/exact-json';
import { isJsonObject, type JsonObject } from '../items/stated-record.ts';
import { normalizeAddress } from './address-rule.ts';
import { normalizeAmount } from './amount-rule.ts';
import { Draft, segment } from './draft.ts';
import type { Findings } from './findings.ts';
import { CONTAINERS, KINDS, type Kind, kindOf, type TextKind } from './known-members.ts';
import { normalizeMeasure, normalizeUnit } from './measure-rule.ts';
import { normalizeName } from './name-rule.ts';
import { openFrom } from './open-reading.ts';
import { type Scope, scopeWithin } from './scope.ts';
import { TEXT_RULES, type TextFinding, withLeadingZeros } from './text-rules.ts';

/** Every known member of an object, kind after kind, and of the known objects in it. */
export async function normalizeHolder(
  object: JsonObject,
  { path, scope, findings }: { readonly path: string; readonly scope: Scope; readonly findings: Findings },
): Promise<JsonObject> {
  const draft = new Draft(object, path, findings);
  const here = scopeWithin(scope, draft);
  for (const kind of KINDS) {
    for (const name of draft.names) if (kindOf(name) === kind) await normalizeMember(draft, name, kind, here);
  }
  for (const name of draft.names.filter((each) => CONTAINERS.has(each))) {
    const inner = { path: path + segment(name), scope: here, findings };
    const value = draft.get(name);
    if (isJsonObject(value)) draft.put(name, await normalizeHolder(value, inner));
    if (Array.isArray(value)) draft.put(name, await normalizeList(value, inner));
  }
  return draft.toObject();
}

async function normalizeList(
  list: readonly unknown[],
  { path, scope, findings }: { readonly path: string; readonly scope: Scope; readonly findings: Findings },
): Promise<unknown[]> {
  const normalized: unknown[] = [];
  for (const [index, item] of list.entries()) {
    const inner = { path: path + segment(index), scope, findings };
    normalized.push(isJsonObject(item) ? await normalizeHolder(item, inner) : item);
  }
  return normalized;
}

async function normalizeMember(draft: Draft, name: string, kind: Kind, scope: Scope): Promise<void> {
  if (draft.isFree(name) || (CONTAINERS.has(name) && holdsObjects(draft.get(name)))) return;
  switch (kind) {
    case 'amount':
      return normalizeAmount(draft, name, scope);
    case 'measure':
      return normalizeMeasure(draft, name, scope);
    case 'unit':
      return normalizeUnit(draft, name, scope);
    case 'name':
      return normalizeName(draft, name, scope);
    case 'address':
      return normalizeAddress(draft, name, scope);
    default:
      return normalizeTexts(draft, name, kind, scope);
  }
}

const holdsObjects = (value: unknown): boolean => isJsonObject(value) || Array.isArray(value);

async function normalizeTexts(draft: Draft, name: string, kind: TextKind, scope: Scope): Promise<void> {
  const value = draft.get(name);
  const context = { kind, scope, findings: draft.findings };
  const path = draft.path + segment(name);
  if (!Array.isArray(value)) {
    draft.put(name, await normalizedText(value, path, context));
    return;
  }
  const list: unknown[] = [];
  for (const [index, item] of value.entries()) list.push(await normalizedText(item, path + segment(index), context));
  draft.put(name, list);
}

interface TextContext {
  readonly kind: TextKind;
  readonly scope: Scope;
  readonly findings: Findings;
}

async function normalizedText(value: unknown, path: string, { kind, scope, findings }: TextContext): Promise<unknown> {
  const { rule, numbers, read } = TEXT_RULES[kind];
  const [topic = kind] = rule.split('.');
  const digits = numberText(value);
  if (digits !== undefined && numbers === 'stay') return value;
  const text = typeof value === 'string' ? value : topic === 'gtin' && digits ? withLeadingZeros(digits) : digits;
  if (text === undefined) {
    if (value !== null && kind !== 'text' && kind !== 'legal-form')
      findings.leave(path, { code: `${topic}.wrong-type`, detail: 'The value must be a text.' });
    return value;
  }
  if (text.trim() === '') return value;
  const found = await read(text, scope);
  const { reading, open }: TextFinding = 'kind' in found ? { reading: found } : found;
  if (open !== undefined) findings.leave(path, open);
  else if (reading.kind !== 'read') findings.leave(path, openFrom(topic, reading));
  if (reading.kind !== 'read' || reading.value === value) return value;
  findings.changed({ path, from: value, to: reading.value, rule, confidence: reading.confidence });
  return reading.value;
}
