/**
 * The packages, with version, whose data determines members beyond the record, as `sources` of an answer names them. A
 * test compares them with the installed packages.
 */
export const SOURCES = {
  timeZones: 'tz-lookup 11.7.0',
  borders: 'country-coder 5.6.1',
  phoneRanges: 'libphonenumber-js 1.13.16',
  domainSuffixes: 'tldts 7.5.4',
  countryCodes: 'i18n-iso-countries 7.14.0',
  countryCurrencies: 'countries-list 3.4.1',
} as const;
