import { contextWithin, countryOf } from '../fields/context.ts';
import { namesOf } from '../fields/fields.ts';
import { isJsonObject, type JsonObject } from '../items/caller-record.ts';
import { type AddressParts, addressLines } from '../values/addresses/address-lines.ts';
import { splitAddress } from '../values/addresses/split-address.ts';
import { tidyLines } from '../values/texts/tidy.ts';
import { Draft, segment } from './draft.ts';
import type { Findings } from './findings.ts';
import type { Scope } from './scope.ts';
import type { Spot } from './spot.ts';

const CAUSE = { rule: 'address.components', confidence: 'medium' } as const;
const POSTCODES = namesOf('postalCode');
const PROVINCES = namesOf('province');
const STREETS = [...namesOf('street'), ...namesOf('line2')];

/**
 * Moves city, province and postcode of a one-text address into members of their own, if these members are free or
 * agree.
 */
export function normalizeAddress({ draft, key: name, around, scope }: Spot): void {
  const text = draft.text(name);
  if (text === undefined) return;
  const whole = tidyLines(text).join(', ');
  if (draft !== around) return draft.set(name, whole, { rule: 'text.tidy', confidence: 'high' });
  const named = countryNamed(whole, scope);
  const country = draft.isFree('country') ? (named ?? scope.country) : scope.country;
  const parts =
    country === undefined ? undefined : splitAddress(whole, country, (part) => countryIn(part, scope) === country);
  if (parts === undefined || country === undefined) {
    draft.set(name, whole, { rule: 'text.tidy', confidence: 'high' });
    return;
  }
  const members = membersFor(draft, parts);
  const conflict = members.find(([member, value]) => !draft.isFree(member) && !agrees(draft.get(member), value));
  if (conflict) {
    const [member, value] = conflict;
    draft.set(name, whole, { rule: 'text.tidy', confidence: 'high' });
    draft.leave(name, {
      code: 'address.conflict',
      detail: `The address ends with another ${member} than the record has.`,
      candidates: [value],
    });
    return;
  }
  draft.set(name, parts.streetLines.join(', '), CAUSE);
  let after = name;
  for (const [member, value] of members) {
    if (draft.isFree(member)) draft.set(member, value, CAUSE, after);
    after = member;
  }
  if (named === country && draft.isFree('country')) draft.set('country', country, CAUSE, after);
}

/** The members for the parts: those that the record has, or else the usual ones. */
function membersFor(draft: Draft, { city, province, postalCode }: AddressParts): [string, string][] {
  const held = (names: readonly string[]) => names.find((name) => !draft.isFree(name)) ?? names[0] ?? '';
  const members: [string, string | undefined][] = [
    ['city', city],
    [held(PROVINCES), province],
    [held(POSTCODES), postalCode],
  ];
  return members.flatMap(([member, value]) => (value === undefined ? [] : [[member, value]]));
}

const agrees = (value: unknown, reading: string): boolean =>
  typeof value === 'string' && value.trim().toLowerCase() === reading.toLowerCase();

/** The country at the end of the text, if it cannot be a province: `CA` may be California. */
function countryNamed(whole: string, scope: Scope): string | undefined {
  const [first, ...parts] = whole.split(', ');
  const last = parts.at(-1);
  return first === undefined || last === undefined ? undefined : countryIn(last, scope);
}

const countryIn = (text: string, scope: Scope): string | undefined =>
  /^\p{L}{1,2}$/u.test(text) ? undefined : countryOf(text, scope);

/** Adds the lines of every address whose parts are known, once these are final. */
export function withAddressLines(record: JsonObject, scope: Scope, findings: Findings): JsonObject {
  const draft = new Draft(record, '', findings);
  addLines(draft, { street: ['address'], lines: 'addressLines' }, contextWithin(scope, draft.get));
  const address = draft.get('address');
  if (!isJsonObject(address)) return draft.toObject();
  const inner = new Draft(address, segment('address'), findings);
  addLines(inner, { street: STREETS, lines: 'lines' }, contextWithin(contextWithin(scope, draft.get), inner.get));
  draft.put('address', inner.toObject());
  return draft.toObject();
}

function addLines(
  draft: Draft,
  names: { readonly street: readonly string[]; readonly lines: string },
  { country }: Scope,
): void {
  const streetLines = names.street.flatMap((name) => draft.text(name) ?? []);
  const [city, province, postalCode] = [['city'], PROVINCES, POSTCODES].map((members) =>
    members.map((name) => draft.text(name)).find((value) => value !== undefined),
  );
  if (country === undefined || !draft.isFree(names.lines) || streetLines.length === 0) return;
  if (city === undefined || postalCode === undefined) return;
  const lines = addressLines(
    { streetLines, city, postalCode, ...(province === undefined ? {} : { province }) },
    country,
  );
  const after = draft.names.findLast((name) => [...names.street, 'city', ...PROVINCES, ...POSTCODES].includes(name));
  if (lines !== undefined) draft.set(names.lines, lines, { rule: 'address.lines', confidence: 'high' }, after);
}
