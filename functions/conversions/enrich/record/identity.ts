import { type Country, loadCountries } from '../../values/countries/countries.ts';
import { type GtinReading, readGtin } from '../../values/identifiers/gtin.ts';
import { type Phone, parsePhone } from '../../values/phones/phones.ts';
import type { Reading } from '../../values/texts/reading.ts';
import { type FieldValue, textOf } from './fields.ts';
import type { Subject } from './subject.ts';

/** A country, or the alpha-2 codes of all possible ones. */
export async function countryIn({
  fields,
  options,
}: Subject): Promise<FieldValue<Country | readonly string[]> | undefined> {
  const written = textOf(fields, 'country');
  return written && { path: written.path, value: (await loadCountries()).read(written.value, options.locale) };
}

/** Phone numbers without a calling code are read in the record's country, or else in the caller's default. */
export async function phoneIn(subject: Subject): Promise<FieldValue<Phone> | undefined> {
  const written = textOf(subject.fields, 'phone');
  if (written === undefined) return undefined;
  const country = (await countryCodeIn(subject)) ?? subject.options.defaultCountry;
  return { path: written.path, value: await parsePhone(written.value, country) };
}

/** The country of the record; undefined if it names none, or an unknown one. */
export async function countryCodeIn(subject: Subject): Promise<string | undefined> {
  const country = (await countryIn(subject))?.value;
  return country !== undefined && 'alpha2' in country ? country.alpha2 : undefined;
}

export function gtinIn({ fields }: Subject): FieldValue<GtinReading> | undefined {
  const written = textOf(fields, 'gtin');
  return written && { path: written.path, value: readGtin(written.value) };
}

export interface Host {
  readonly host: string;
  readonly registrableDomain: string;
}

/** The host of a web address. */
export async function webHostIn({ fields }: Subject): Promise<FieldValue<Reading<Host>> | undefined> {
  const written = textOf(fields, 'website');
  if (written === undefined) return undefined;
  const { readWebAddress } = await import('../../values/texts/hosts.ts');
  const address = readWebAddress(written.value);
  return { path: written.path, value: await hostOf(address, /^(?:[a-z]+:\/\/)?(?:[^/?#@]*@)?([^/?#:]+)/) };
}

export async function mailHostIn({ fields }: Subject): Promise<FieldValue<Reading<Host>> | undefined> {
  const written = textOf(fields, 'email');
  if (written === undefined) return undefined;
  const { readEmail } = await import('../../values/texts/hosts.ts');
  return { path: written.path, value: await hostOf(readEmail(written.value), /@([^@]+)$/) };
}

/** The host of an address in canonical form, which `hostname` guarantees to have a public suffix. */
async function hostOf(address: Reading<string>, hostname: RegExp): Promise<Reading<Host>> {
  if (address.kind !== 'read') return address;
  const { getDomain } = await import('tldts');
  const host = hostname.exec(address.value)?.[1] ?? '';
  return { ...address, value: { host, registrableDomain: getDomain(host, { allowPrivateDomains: true }) ?? host } };
}
