import { type Conversion, conversionOf } from './quantity.ts';
import { unitPair } from './unit-lookup.ts';
import type { Unit } from './unit-table.ts';

interface NamedConversion extends Conversion {
  readonly to: Unit;
}

/** The most cached pairs, after which the cache restarts: callers can write names in unlimited ways. */
const NAMES_MAX = 5_000;
const cache = new Map<string, Map<string, NamedConversion>>();
let cacheSize = 0;

/** The conversion between two units by their codes or names. */
export function conversionNamed(from: string, to: string): NamedConversion {
  return cache.get(from)?.get(to) ?? lookUp(from, to);
}

function lookUp(from: string, to: string): NamedConversion {
  const [source, unit] = unitPair(from, to);
  const conversion = { ...conversionOf(source, unit), to: unit };
  if (++cacheSize > NAMES_MAX) {
    cache.clear();
    cacheSize = 1;
  }
  cache.set(from, (cache.get(from) ?? new Map<string, NamedConversion>()).set(to, conversion));
  return conversion;
}
