import { numberText } from '#shared/formats/exact-json';
import { unitNameOf } from '../fields/fields.ts';
import { brokenText, readNumberField } from '../fields/value-kinds.ts';
import { isJsonObject, type JsonObject } from '../items/caller-record.ts';
import { canonicalMeasure, readMeasure, readUnit } from '../values/texts/measures.ts';
import { Draft, segment } from './draft.ts';
import { leaveOpen } from './open-reading.ts';
import type { Scope } from './scope.ts';
import type { Spot } from './spot.ts';

/**
 * Splits a one-text measure into value and unit, in the canonical unit of its dimension. A measure with a separate unit
 * keeps it: only its notation changes.
 */
export function normalizeMeasure(spot: Spot): void {
  const { draft, key, name, member, around, scope } = spot;
  const value = draft.get(key);
  const unitApart = !around.isFree(unitNameOf(name));
  if (isJsonObject(value)) return normalizeParts(spot, value);
  if (numberText(value) !== undefined) {
    if (!unitApart) draft.leave(key, { code: 'measure.no-unit', detail: 'The number names no unit.' });
    return;
  }
  if (typeof value !== 'string') {
    draft.leave(key, { code: 'measure.wrong-type', detail: 'A measure is a text, or an object of value and unit.' });
    return;
  }
  if (unitApart) return normalizeValue(draft, key, value, scope);
  const measure = readMeasure(value, member.dimensions, scope.conventions?.decimalMark, scope.suggestions.unit);
  if (measure.kind !== 'read') return leaveOpen(draft, key, 'measure', measure);
  const { confidence } = measure;
  draft.set(key, canonicalMeasure(measure.value, scope.options), { rule: 'measure.canonical', confidence });
}

function normalizeParts(spot: Spot, parts: JsonObject): void {
  const { draft, key, scope } = spot;
  const inner = new Draft(parts, draft.path + segment(key), draft.findings);
  const value = inner.text('value');
  if (value !== undefined) normalizeValue(inner, 'value', value, scope);
  normalizeUnit(inner, 'unit', spot);
  draft.put(key, inner.toObject());
}

function normalizeValue(draft: Draft, name: string, text: string, scope: Scope): void {
  const broken = brokenText(text);
  if (broken !== undefined) return draft.leave(name, broken);
  const number = readNumberField(text, scope);
  if (number.kind !== 'read') return leaveOpen(draft, name, 'number', number);
  draft.set(name, number.value, { rule: 'number.decimal', confidence: number.confidence });
}

export function normalizeUnit(draft: Draft, name: string, { member, scope }: Pick<Spot, 'member' | 'scope'>): void {
  const text = draft.text(name);
  if (text === undefined) return;
  const broken = brokenText(text);
  if (broken !== undefined) return draft.leave(name, broken);
  const unit = readUnit(text, member.dimensions, scope.suggestions.unit);
  if (unit.kind !== 'read') return leaveOpen(draft, name, 'unit', unit);
  draft.set(name, unit.value.code, { rule: 'unit.code', confidence: unit.confidence });
}
