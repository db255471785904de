import * as z from 'zod';
import { ItemRefusal, quoteForMessage } from '../items/item-refusal.ts';
import { Numeric } from '../items/numeric.ts';
import { type Countries, type Country, loadCountries } from '../values/countries/countries.ts';
import { base, type Context } from './item-base.ts';

const Form = z.enum(['name', 'alpha2', 'alpha3', 'numeric']);
type Form = z.output<typeof Form>;

export const CountryItem = z.strictObject({
  kind: z.literal('country'),
  value: Numeric.meta({
    description: 'A code of ISO 3166, or a name in any of 75 languages.',
    examples: ['Deutschland'],
  }),
  from: Form,
  to: Form.meta({ description: 'A name is given in the language of the option `locale`, English by default.' }),
  ...base,
});

export async function convertCountryItem({ value, from, to }: z.output<typeof CountryItem>, { options }: Context) {
  const countries = await loadCountries();
  const country = countryOf(value.trim(), { from, countries, locale: options.locale });
  return { value: to === 'name' ? (countries.nameOf(country.alpha2, options.locale) ?? country.name) : country[to] };
}

const CODES: Readonly<Record<Exclude<Form, 'name'>, RegExp>> = {
  alpha2: /^[a-z]{2}$/i,
  alpha3: /^[a-z]{3}$/i,
  numeric: /^\d{1,3}$/,
};

interface Reading {
  readonly from: Form;
  readonly countries: Countries;
  readonly locale: string | undefined;
}

function countryOf(text: string, { from, countries, locale }: Reading): Country {
  if (from !== 'name') {
    const country = CODES[from].test(text)
      ? countries.of(from === 'numeric' ? text.padStart(3, '0') : text)
      : undefined;
    if (country) return country;
    throw new ItemRefusal('unparseable-value', `${quoteForMessage(text)} is no ${from} code of a country.`);
  }
  const match = countries.read(text, locale);
  if ('alpha2' in match) return match;
  if (match.length > 0) {
    throw new ItemRefusal('ambiguous-value', `${quoteForMessage(text)} may be ${match.join(' or ')}.`, {
      candidates: match,
    });
  }
  const nearest = countries.suggest(text, locale);
  const suggestion = nearest === undefined ? undefined : countries.nameOf(nearest, locale);
  throw new ItemRefusal(
    'unparseable-value',
    `There is no country ${quoteForMessage(text)}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`,
    suggestion === undefined ? {} : { suggestion },
  );
}
