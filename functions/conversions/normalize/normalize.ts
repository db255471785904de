import * as z from 'zod';
import { MEMBERS } from '../fields/fields.ts';
import { CallerRecord, type JsonObject, RECORD_TYPES } from '../items/caller-record.ts';
import { ItemRefusal } from '../items/item-refusal.ts';
import type { Options } from '../items/options.ts';
import { loadCountries } from '../values/countries/countries.ts';
import { currencyOf } from '../values/countries/currencies.ts';
import { conventionsOf } from '../values/texts/conventions.ts';
import { withAddressLines } from './address-rule.ts';
import { Change, Findings, mergedChanges, sameJson, UnresolvedValue } from './findings.ts';
import { normalizeHolder } from './holder.ts';
import { inNewPass, scopeOf } from './scope.ts';

export const NormalizeItem = z.strictObject({
  type: z.enum(RECORD_TYPES).meta({ description: 'What the record is about.' }),
  record: CallerRecord.meta({
    description: 'The record. Members with known names are normalized; all others stay as they are.',
    examples: [{ name: '  ACME   G.m.b.H. ', phone: '030 123456', country: 'Deutschland', opened: '03/04/2024' }],
  }),
});
export type NormalizeItem = z.output<typeof NormalizeItem>;

export const NormalizeResult = z.strictObject({
  record: CallerRecord.meta({
    description: 'The record in canonical form. Normalizing it again with the same options changes nothing.',
  }),
  changes: z.array(Change).meta({ description: 'Every value that differs from the one sent.' }),
  unresolved: z.array(UnresolvedValue).meta({
    description:
      'Values that cannot be read, or mean several things. They stay as they are, as far as they are not certain.',
  }),
});
export type NormalizeResult = z.output<typeof NormalizeResult>;

/**
 * Applies all rules until no rule changes anything, because one may provide what another needs: an address names the
 * country of a phone number. This also makes the result its own normal form.
 */
const PASSES_MAX = 6;

export async function normalizeItem(
  { type, record }: NormalizeItem,
  { options }: { options: Options; now: number },
): Promise<NormalizeResult> {
  const countries = await loadCountries();
  refuseImpossible(options, (code) => countries.of(code) !== undefined);
  const scope = scopeOf(type, options, countries);
  const changes: Change[] = [];
  let normalized: JsonObject = record;
  let findings = new Findings();
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    findings = new Findings();
    const before = normalized;
    normalized = await normalizeHolder(before, { path: '', members: MEMBERS, scope: inNewPass(scope), findings });
    changes.push(...findings.changes);
    if (findings.changes.length === 0 || sameJson(before, normalized)) break;
  }
  const last = new Findings();
  normalized = withAddressLines(normalized, scope, last);
  return {
    record: normalized,
    changes: mergedChanges([...changes, ...last.changes]),
    unresolved: findings.unresolved,
  };
}

/**
 * Refuses options that name something unknown: they are no fault of the record, so no record could be normalized with
 * them.
 */
function refuseImpossible({ defaultCountry, currency, locale }: Options, isCountry: (code: string) => boolean): void {
  const refuse = (what: string, option: string) => {
    throw new ItemRefusal('unparseable-value', `${what} Correct options.${option}, or leave it out.`, {
      pointer: `/options/${option}`,
    });
  };
  if (defaultCountry !== undefined && !isCountry(defaultCountry))
    refuse(`There is no country ${defaultCountry}.`, 'defaultCountry');
  if (currency !== undefined && !currencyOf(currency))
    refuse(`There is no currency ${currency} in ISO 4217.`, 'currency');
  if (locale !== undefined && conventionsOf(locale) === undefined)
    refuse(`Nothing is known about the locale ${locale}.`, 'locale');
}
