import { ItemRefusal, quoteForMessage } from '../../items/item-refusal.ts';
import { nearest } from './nearest.ts';
import type { Dimension } from './unit-definition.ts';
import { AMBIGUOUS } from './unit-definitions.ts';
import { UNITS, type Unit } from './unit-table.ts';

/** The longest text that is looked up. No unit is longer, and comparing all names costs time. */
const NAME_CHARACTERS_MAX = 60;

const exact = new Map<string, Unit>();
const loose = new Map<string, Set<Unit>>();
for (const unit of UNITS) exact.set(unit.code, unit);
for (const unit of UNITS) {
  for (const name of [unit.code, ...unit.names]) {
    const written = plain(name);
    if (!exact.has(written)) exact.set(written, unit);
    const key = looseKey(written);
    // A single letter is a symbol, and symbols are case-sensitive.
    if (key.length > 1) loose.set(key, (loose.get(key) ?? new Set()).add(unit));
  }
}

/** The unit of a code or a name; undefined if there is none or the name is ambiguous. */
export function findUnit(text: string): Unit | undefined {
  const match = lookup(text);
  return Array.isArray(match) ? undefined : match;
}

/** Two units of one kind: if one name is unknown, the other determines the kind of the suggestion. */
export function unitPair(one: string, other: string): [Unit, Unit] {
  const kind = findUnit(other)?.dimension;
  const first = unitOf(one, kind === undefined ? [] : [kind]);
  return [first, unitOf(other, [first.dimension])];
}

/**
 * The unit of a code or a name; refused if the name is unknown or ambiguous.
 * @param kinds the expected dimensions; only a unit of these is suggested for an unknown name
 */
export function unitOf(text: string, kinds: readonly Dimension[] = []): Unit {
  const match = lookup(text);
  if (!Array.isArray(match)) return match;
  if (match.length > 0) {
    const candidates = match.join(', ');
    throw new ItemRefusal(
      'ambiguous-value',
      `The unit ${quoteForMessage(text)} may be ${candidates}. Choose one of them.`,
      {
        candidates: match,
      },
    );
  }
  const suggestion = suggestUnit(text, kinds);
  throw new ItemRefusal(
    'unknown-unit',
    `There is no unit ${quoteForMessage(text)}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`,
    suggestion === undefined ? {} : { suggestion },
  );
}

/** The unit, or the codes of all possible units: none or several. */
function lookup(text: string): Unit | string[] {
  const match = exact.get(text);
  if (match) return match;
  if (text.length > NAME_CHARACTERS_MAX) return [];
  const name = plain(text);
  if (Object.hasOwn(AMBIGUOUS, name)) return [...(AMBIGUOUS[name] ?? [])];
  const unit = exact.get(name);
  if (unit) return unit;
  const key = looseKey(name);
  if (Object.hasOwn(AMBIGUOUS, key)) return [...(AMBIGUOUS[key] ?? [])];
  const units = [...(loose.get(key) ?? [])];
  return units.length === 1 && units[0] ? units[0] : units.map(({ code }) => code);
}

/** Normalizes spellings: `m²`, `m^2` and `㎡` are `m2`, `°C` is `degC`, `sq. ft.` is `sq ft`. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .trim()
    .replaceAll('°', 'deg')
    .replaceAll('μ', 'u')
    .replace(/\s+/g, ' ')
    .replace(/\^(?=[23])/g, '')
    .replace(/[·⋅*×]/g, '.')
    .replace(/\.(?=\s|$)/g, '');
}

function looseKey(written: string): string {
  return written.toLowerCase().replace(/[ _-]/g, '');
}

/** The code of the unit of these kinds with the nearest code or name, at most two letters away. */
function suggestUnit(text: string, kinds: readonly Dimension[]): string | undefined {
  if (text.length > NAME_CHARACTERS_MAX) return undefined;
  const spelling = plain(text).toLowerCase();
  return nearest(spelling, spellings(kinds), Math.min(spelling.length < 5 ? 1 : 2, spelling.length - 1))?.code;
}

let cached: (readonly [string, Unit])[] | undefined;
/** Codes and names in lower case, built when the first unknown unit arrives. */
function spellings(kinds: readonly Dimension[]) {
  cached ??= [...exact].map(([name, unit]) => [name.toLowerCase(), unit]);
  return cached.filter(([, { dimension }]) => kinds.includes(dimension));
}
