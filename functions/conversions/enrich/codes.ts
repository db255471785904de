import { ItemRefusal } from '../items/item-refusal.ts';
import { loadCountries } from '../knowledge/countries/countries.ts';
import { issuerOf } from '../knowledge/identifiers/gs1-prefix.ts';
import { phoneDetail } from '../knowledge/phones/phones.ts';
import { shown } from '../knowledge/quantities/decimal.ts';
import { textOf } from './record/fields.ts';
import { countryIn, gtinIn, mailHostIn, phoneIn, webHostIn } from './record/identity.ts';
import { meant } from './record/measures.ts';
import { attempt, type Derived, NOTHING, type Subject } from './record/subject.ts';
import { SOURCES } from './sources.ts';

export async function phone(subject: Subject): Promise<Derived> {
  const found = await phoneIn(subject);
  if (found === undefined) return NOTHING;
  return attempt(found.path, () => {
    const { e164, country, type, reason } = found.value;
    if (e164 === undefined || reason !== undefined) {
      throw new ItemRefusal('unparseable-value', phoneDetail(reason ?? 'not-a-number'));
    }
    return {
      enrichment: { phone: { e164, ...(country !== undefined && { country }), ...(type !== undefined && { type }) } },
      sources: { '/phone': SOURCES.phoneRanges },
    };
  });
}

export async function country(subject: Subject): Promise<Derived> {
  const found = await countryIn(subject);
  if (found === undefined) return NOTHING;
  const text = textOf(subject.fields, 'country')?.value ?? '';
  const countries = await loadCountries();
  return attempt(found.path, () => {
    if (!('alpha2' in found.value))
      throw noCountry(text, found.value, () => countries.suggest(text, subject.options.locale));
    const { alpha2, alpha3, numeric, name, currency, euMember } = found.value;
    return {
      enrichment: { country: { alpha2, alpha3, numeric, name, ...(currency !== undefined && { currency }), euMember } },
      sources: {
        '/country': SOURCES.countryCodes,
        ...(currency !== undefined && { '/country/currency': SOURCES.countryCurrencies }),
      },
    };
  });
}

function noCountry(text: string, candidates: readonly string[], suggest: () => string | undefined): ItemRefusal {
  if (candidates.length > 0) {
    const detail = `${shown(text)} may be ${candidates.join(' or ')}. Send one of these codes.`;
    return new ItemRefusal('ambiguous-value', detail, { candidates });
  }
  const suggestion = suggest();
  const hint = suggestion === undefined ? 'Send its ISO 3166 code.' : `Did you mean ${suggestion}?`;
  return new ItemRefusal('unparseable-value', `There is no country ${shown(text)}. ${hint}`, {
    ...(suggestion !== undefined && { suggestion }),
  });
}

export async function gtin(subject: Subject): Promise<Derived> {
  const found = gtinIn(subject);
  if (found === undefined) return NOTHING;
  return attempt(found.path, () => {
    const { value } = found;
    if (value.gtin === undefined) {
      const { problem, detail, suggestion, candidates } = value.problem;
      throw new ItemRefusal(problem === 'ambiguous' ? 'ambiguous-value' : 'unparseable-value', detail, {
        ...(suggestion !== undefined && { suggestion }),
        ...(candidates !== undefined && { candidates }),
      });
    }
    const { kind, gtin14 } = value.gtin;
    const issuer = issuerOf(gtin14);
    return {
      enrichment: {
        gtin: { gtin14, kind, ...(issuer && { issuer: { ...issuer, countries: [...issuer.countries] } }) },
      },
    };
  });
}

export async function web(subject: Subject): Promise<Derived> {
  const found = (await webHostIn(subject)) ?? (await mailHostIn(subject));
  if (found === undefined) return NOTHING;
  return attempt(found.path, () => ({
    enrichment: { web: meant(found.value) },
    sources: { '/web/registrableDomain': SOURCES.domainSuffixes },
  }));
}
