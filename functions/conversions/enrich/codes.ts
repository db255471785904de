import { ItemRefusal, quoteForMessage } from '../items/item-refusal.ts';
import { loadCountries } from '../values/countries/countries.ts';
import { issuerOf } from '../values/identifiers/gs1-prefix.ts';
import { phoneDetail } from '../values/phones/phones.ts';
import { textOf } from './record/fields.ts';
import { countryIn, gtinIn, mailHostIn, phoneIn, webHostIn } from './record/identity.ts';
import { valueOf } from './record/measures.ts';
import { attempt, type Derivation, NOTHING, type Subject } from './record/subject.ts';
import { SOURCES } from './sources.ts';

export async function phone(subject: Subject): Promise<Derivation> {
  const number = await phoneIn(subject);
  if (number === undefined) return NOTHING;
  return attempt(number.path, () => {
    const { e164, country, type, reason } = number.value;
    if (e164 === undefined || reason !== undefined) {
      throw new ItemRefusal('unparseable-value', phoneDetail(reason ?? 'not-a-number'));
    }
    return {
      enrichment: { phone: { e164, ...(country !== undefined && { country }), ...(type !== undefined && { type }) } },
      sources: { '/phone': SOURCES.phoneRanges },
    };
  });
}

export async function country(subject: Subject): Promise<Derivation> {
  const match = await countryIn(subject);
  if (match === undefined) return NOTHING;
  const text = textOf(subject.fields, 'country')?.value ?? '';
  const countries = await loadCountries();
  return attempt(match.path, () => {
    if (!('alpha2' in match.value))
      throw noCountry(text, match.value, () => countries.suggest(text, subject.options.locale));
    const { alpha2, alpha3, numeric, name, currency, euMember } = match.value;
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
    const detail = `${quoteForMessage(text)} may be ${candidates.join(' or ')}. Send one of these codes.`;
    return new ItemRefusal('ambiguous-value', detail, { candidates });
  }
  const suggestion = suggest();
  const hint = suggestion === undefined ? 'Send its ISO 3166 code.' : `Did you mean ${suggestion}?`;
  return new ItemRefusal('unparseable-value', `There is no country ${quoteForMessage(text)}. ${hint}`, {
    ...(suggestion !== undefined && { suggestion }),
  });
}

export async function gtin(subject: Subject): Promise<Derivation> {
  const number = gtinIn(subject);
  if (number === undefined) return NOTHING;
  return attempt(number.path, () => {
    const { value } = number;
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

export async function web(subject: Subject): Promise<Derivation> {
  const host = (await webHostIn(subject)) ?? (await mailHostIn(subject));
  if (host === undefined) return NOTHING;
  return attempt(host.path, () => ({
    enrichment: { web: valueOf(host.value) },
    sources: { '/web/registrableDomain': SOURCES.domainSuffixes },
  }));
}
