/** The faults of an invalid phone number. */
export type PhoneReason =
  /** Letters, several numbers with words between them, or no digits at all. */
  | 'not-a-number'
  /** No calling code, and no known default country that could supply one. */
  | 'no-country'
  | 'unknown-calling-code'
  | 'too-short'
  | 'too-long'
  /** Neither too short nor too long, but no number of the country has this length. */
  | 'invalid-length'
  /** The length is right, but the digits belong to no range in use. */
  | 'unassigned';

type PhoneType =
  | 'fixed-line'
  | 'mobile'
  | 'fixed-line-or-mobile'
  | 'toll-free'
  | 'premium-rate'
  | 'shared-cost'
  | 'voip'
  | 'personal-number'
  | 'pager'
  | 'uan'
  | 'voicemail';

export interface Phone {
  /** Present if the text could be read as one number, even an impossible one: check `possible` before use. */
  readonly e164?: string;
  readonly extension?: string;
  /** ISO 3166 alpha-2. Absent where the number belongs to no country, or may belong to several that share its calling code. */
  readonly country?: string;
  /** The type of a valid number. */
  readonly type?: PhoneType;
  /** True if the digits belong to a range in use. */
  readonly valid: boolean;
  /** True if at least the length is right. */
  readonly possible: boolean;
  /** Present unless `valid`. */
  readonly reason?: PhoneReason;
}

type Library = typeof import('libphonenumber-js/max');
type CountryCode = import('libphonenumber-js/max').CountryCode;
type PhoneNumber = import('libphonenumber-js/max').PhoneNumber;

const REASONS: Readonly<Record<string, PhoneReason>> = {
  NOT_A_NUMBER: 'not-a-number',
  TOO_SHORT: 'too-short',
  TOO_LONG: 'too-long',
  INVALID_LENGTH: 'invalid-length',
};

/** The longest text: no number is longer with all its punctuation, and the library reads no more than this. */
const CHARACTERS_MAX = 250;

/** Zero-width and control characters, which are copied along from web pages. */
const INVISIBLE = /[\p{Cf}\p{Cc}]+/gu;

/**
 * Reads a phone number in common notations: with or without calling code, with an extension, or as `tel:` URI. The
 * metadata of all countries is loaded on the first call.
 */
export async function parsePhone(text: string, defaultCountry?: string): Promise<Phone> {
  const library = await import('libphonenumber-js/max');
  const plain = text.slice(0, CHARACTERS_MAX).normalize('NFKC').replace(INVISIBLE, '').trim().replace(/^tel:/i, '');
  if (text.length > CHARACTERS_MAX) return impossible('too-long');
  const country = supported(library, defaultCountry);
  try {
    const number = library.parsePhoneNumberWithError(plain, { defaultCountry: country, extract: false });
    return described(library, number);
  } catch (error) {
    if (!(error instanceof library.ParseError)) throw error;
    return impossible(reasonOf(error.message, plain));
  }
}

/** `+4930123456`, or `+12133734253;ext=12` as in RFC 3966, which `parsePhone` reads again. */
export function printPhone({ e164 = '', extension }: Pick<Phone, 'e164' | 'extension'>): string {
  return extension === undefined ? e164 : `${e164};ext=${extension}`;
}

const SENTENCES: Readonly<Record<PhoneReason, string>> = {
  'not-a-number': 'This is not a phone number. Send one number, written in digits.',
  'no-country':
    'The number has no calling code. Write it with + and the calling code of its country, or set defaultCountry.',
  'unknown-calling-code': 'No country has this calling code. Check the digits after the +.',
  'too-short': 'The number has too few digits for its country.',
  'too-long': 'The number has too many digits for its country. Send one number per field.',
  'invalid-length': 'No phone number of this country has this many digits.',
  unassigned: 'The number has the right length, but its digits belong to no range in use.',
};

/** The reason as a sentence for the caller. */
export const phoneDetail = (reason: PhoneReason): string => SENTENCES[reason];

function supported(library: Library, country: string | undefined): CountryCode | undefined {
  return country !== undefined && library.isSupportedCountry(country) ? country : undefined;
}

const impossible = (reason: PhoneReason): Phone => ({ valid: false, possible: false, reason });

/** The library reports both a missing and an unknown calling code as a wrong country. */
function reasonOf(code: string, text: string): PhoneReason {
  if (code !== 'INVALID_COUNTRY') return REASONS[code] ?? 'not-a-number';
  return /^\D*\+/.test(text) ? 'unknown-calling-code' : 'no-country';
}

function described(library: Library, number: PhoneNumber): Phone {
  const valid = number.isValid();
  const country = valid ? number.country : onlyCountry(library, number.countryCallingCode);
  const type = valid ? number.getType() : undefined;
  const possible = number.isPossible();
  return {
    e164: number.number,
    ...(number.ext === undefined ? {} : { extension: number.ext }),
    ...(country === undefined ? {} : { country }),
    ...(type === undefined ? {} : { type: type.toLowerCase().replaceAll('_', '-') as PhoneType }),
    valid,
    possible,
    ...(valid ? {} : { reason: possible ? 'unassigned' : lengthFault(library, number) }),
  };
}

function lengthFault(library: Library, { number }: PhoneNumber): PhoneReason {
  return REASONS[library.validatePhoneNumberLength(number) ?? ''] ?? 'invalid-length';
}

let countriesByCode: ReadonlyMap<string, readonly string[]> | undefined;

/** If several countries share a calling code, the default country does not tell which of them it is. */
function onlyCountry(library: Library, callingCode: string): string | undefined {
  countriesByCode ??= Map.groupBy(library.getCountries(), (country) => library.getCountryCallingCode(country));
  const countries = countriesByCode.get(callingCode) ?? [];
  return countries.length === 1 ? countries[0] : undefined;
}
