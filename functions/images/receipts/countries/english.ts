import type { Locale } from './locale.ts';
import { PAYMENT_PHRASES, TOTAL_PHRASES } from './phrases.ts';

const US_STATES =
  'A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]';

export const US: Locale = {
  country: 'US',
  decidesAlone: false,
  timeZone: 'America/New_York',
  currency: 'USD',
  currencyMarks: ['$', 'USD', 'US$'],
  // A tax letter T may be read as 7, as in 4.72T. Fuel prices have three decimals and end with 9.
  taxLetterLike: '7',
  dayFirst: false,
  decimalMark: '.',
  phrases: [
    ...TOTAL_PHRASES,
    ['subtotal', ['SUBTOTAL', 'SUB TOTAL']],
    ['total', ['GRAND TOTAL', 'TOTAL DUE', 'AMOUNT DUE', 'BALANCE DUE']],
    ['tax', ['SALES TAX', 'TOTAL TAX', 'TAX']],
    ['service', ['GRATUITY', 'TIP']],
    ['total', ['TOTAL', 'BALANCE']],
    ...PAYMENT_PHRASES,
    ['tender', ['CHARGE']],
  ],
  companyWords: ['INC', 'LLC', 'CORP', 'MARKET', 'STORE', 'STORES', 'FOODS', 'PHARMACY', 'MART', 'SUPERMARKET'],
  companyForms: ['INC', 'LLC', 'CORP', 'CO', 'LTD'],
  addressWords: ['TEL', 'PHONE', 'FAX', 'STREET', 'AVE', 'AVENUE', 'BLVD', 'ROAD', 'SUITE', 'HWY', 'WWW', 'RECEIPT'],
  regions: [new RegExp(`\\b(${US_STATES}) (\\d{5})\\b`, 'g')],
};

const ENGLISH: Pick<Locale, 'dayFirst' | 'decimalMark' | 'phrases' | 'companyWords' | 'companyForms' | 'addressWords'> =
  {
    dayFirst: true,
    decimalMark: '.',
    phrases: [
      ...TOTAL_PHRASES,
      ['tax-summary', ['GST SUMMARY', 'VAT SUMMARY', 'TAX SUMMARY', 'VAT ANALYSIS', 'VAT RATE']],
      [
        'tax',
        ['TOTAL INCLUDES', 'INCLUDES GST', 'GST INCLUDED', 'GST INCL', 'INCL GST OF', 'INCLUDES VAT', 'VAT INCLUDED'],
      ],
      ['subtotal', ['SUBTOTAL', 'SUB TOTAL', 'TOTAL EXCL', 'TOTAL EXCLUDING', 'TOTAL BEFORE TAX']],
      [
        'total',
        ['GRAND TOTAL', 'TOTAL DUE', 'AMOUNT DUE', 'BALANCE DUE', 'TOTAL PAYABLE', 'AMOUNT PAYABLE', 'TOTAL INC'],
      ],
      ['service', ['GRATUITY', 'TIP']],
      ['tax', ['TOTAL GST', 'TOTAL VAT', 'TOTAL TAX', 'GST', 'VAT', 'HST', 'PST', 'QST', 'TVQ', 'TPS', 'TAX']],
      ['total', ['TOTAL', 'BALANCE']],
      ['tender', ['EFTPOS', 'NETS', 'PAYWAVE', 'INTERAC']],
      ...PAYMENT_PHRASES,
    ],
    companyWords: [
      'LTD',
      'LIMITED',
      'PLC',
      'PTY',
      'PTE',
      'INC',
      'STORES',
      'STORE',
      'MARKET',
      'SUPERMARKET',
      'PHARMACY',
    ],
    companyForms: ['LTD', 'LIMITED', 'PLC', 'PTY', 'PTE', 'INC', 'CO', 'LLP'],
    addressWords: [
      'TEL',
      'PHONE',
      'FAX',
      'STREET',
      'ROAD',
      'AVENUE',
      'LANE',
      'ABN',
      'VAT',
      'GST',
      'WWW',
      'RECEIPT',
      'INVOICE',
    ],
  };

/** British receipts print no short names of regions, so only the postcode is used. */
export const UNITED_KINGDOM: Locale = {
  ...ENGLISH,
  country: 'GB',
  decidesAlone: false,
  timeZone: 'Europe/London',
  currency: 'GBP',
  currencyMarks: ['£', 'GBP'],
  regions: [/\b([A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})\b/g],
};

export const SINGAPORE: Locale = {
  ...ENGLISH,
  country: 'SG',
  decidesAlone: false,
  timeZone: 'Asia/Singapore',
  currency: 'SGD',
  currencyMarks: ['S$', 'SGD', '$'],
  regions: [/\b(?:SINGAPORE|S) (\d{6})\b/g],
};

export const AUSTRALIA: Locale = {
  ...ENGLISH,
  country: 'AU',
  decidesAlone: false,
  timeZone: 'Australia/Sydney',
  currency: 'AUD',
  currencyMarks: ['A$', 'AUD', '$'],
  regions: [/\b(ACT|NSW|NT|QLD|SA|TAS|VIC|WA) (\d{4})\b/g],
};

/** Canadians write days in either order. Ambiguous dates are read month first, as most tills print them. */
export const CANADA: Locale = {
  ...ENGLISH,
  country: 'CA',
  decidesAlone: false,
  timeZone: 'America/Toronto',
  currency: 'CAD',
  currencyMarks: ['C$', 'CAD', '$'],
  dayFirst: false,
  regions: [/\b(AB|BC|MB|N[BLSTU]|ON|PE|QC|SK|YT) ([A-Z]\d[A-Z] ?\d[A-Z]\d)\b/g],
};
