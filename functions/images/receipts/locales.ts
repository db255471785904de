/** What a line at the foot of a receipt states. */
export type Label =
  | 'count'
  | 'discount'
  | 'rounded-total'
  | 'rounding'
  | 'change'
  | 'subtotal'
  | 'tax-summary'
  | 'tax'
  | 'service'
  | 'total'
  | 'tender'
  | 'header';

/** Phrases in the order in which they are tried: the first that a line holds decides what it states. */
type Phrases = readonly (readonly [Label, readonly string[]])[];

/** How receipts of a country are written. */
export interface Locale {
  readonly country: string;
  readonly currency: string;
  /** What print and misreading make of the sign of the currency before an amount. */
  readonly currencyMarks: readonly string[];
  /** What misreading makes of the letter of a tax that stands close behind an amount. */
  readonly taxLetterLike?: string | undefined;
  readonly dayFirst: boolean;
  readonly phrases: Phrases;
  /** Words of which names of companies consist, and hardly any other line. */
  readonly companyWords: readonly string[];
  /** Words that state the form of a company and nothing else. */
  readonly companyForms: readonly string[];
  /** Words with which lines of an address or of the particulars of a company begin, or that they hold. */
  readonly addressWords: readonly string[];
  /** States and postal codes in capitals, without any signs but spaces: the groups of each pattern are the regions. */
  readonly regions: readonly RegExp[];
}

const TOTAL_PHRASES: Phrases = [
  // Before change, whose letters are nearly those of charge.
  ['service', ['SERVICE CHARGE', 'SERVICE CHG', 'SVC CHG', 'SVC CHARGE', 'SERV CHARGE', 'SVR CHRG', 'SER CHG']],
  [
    'header',
    ['DESCRIPTION', 'UNIT PRICE', 'U PRICE', 'QTY PRICE', 'QTY ITEM', 'PRICE AMOUNT', 'ITEM QTY', 'QTY AMOUNT'],
  ],
  ['count', ['TOTAL QTY', 'TOTAL ITEM', 'TOTAL ITEMS', 'TOTAL QUANTITY', 'ITEM COUNT']],
  ['count', ['ITEMS SOLD', 'NO ITEMS', 'QTY TOTAL', 'ITEM S', 'QTY S']],
  [
    'rounded-total',
    [
      'TOTAL ROUNDED',
      'ROUNDED TOTAL',
      'ROUND TOTAL',
      'AMT ROUNDED',
      'AMOUNT ROUNDED',
      'AFTER ROUNDING',
      'AFTER ADJ',
      'ROUNDED',
    ],
  ],
  ['rounding', ['ROUNDING', 'ROUND ADJ', 'RND ADJ', 'ROUND', 'ROUND OFF']],
  ['discount', ['TOTAL DISCOUNT', 'TOTAL SAVINGS', 'YOU SAVED', 'DISCOUNT', 'DISC', 'SAVINGS', 'COUPON', 'VOUCHER']],
  ['change', ['CHANGE', 'CHANGE DUE']],
];

const PAYMENT_PHRASES: Phrases = [
  [
    'tender',
    [
      'AMOUNT TENDERED',
      'CASH TENDERED',
      'TENDERED',
      'TENDER',
      'AMOUNT PAID',
      'PAID',
      'CASH',
      'PAYMENT',
      'RECEIVED',
      'VISA',
      'MASTERCARD',
      'MASTER CARD',
      'MASTER',
      'AMEX',
      'DEBIT',
      'CREDIT CARD',
      'CREDIT',
      'CARD',
    ],
  ],
];

const US_STATES =
  'A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]';

const US: Locale = {
  country: 'US',
  currency: 'USD',
  currencyMarks: ['$', 'USD', 'US$'],
  // 4.72T. Prices of fuel have three decimals and end with 9.
  taxLetterLike: '7',
  dayFirst: false,
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

const MALAYSIAN_STATES =
  'JOHOR|KEDAH|KELANTAN|MELAKA|NEGERI SEMBILAN|PAHANG|PERAK|PERLIS|PULAU PINANG|PENANG|SABAH|SARAWAK|SELANGOR|TERENGGANU|KUALA LUMPUR|LABUAN|PUTRAJAYA';

const MALAYSIA: Locale = {
  country: 'MY',
  currency: 'MYR',
  currencyMarks: ['RM', 'MYR', 'RH', 'RN', 'AM', '$'],
  dayFirst: true,
  phrases: [
    ...TOTAL_PHRASES,
    ['rounding', ['PELARASAN', 'PENGGENAPAN', 'PEMBUNDARAN', 'BUNDARAN']],
    ['change', ['BAKI']],
    [
      'tax-summary',
      ['GST SUMMARY', 'SST SUMMARY', 'TAX SUMMARY', 'GST ANALYSIS', 'TAX CODE', 'TAX ANALYSIS', 'GST CODE'],
    ],
    ['total', ['TOTAL INCLUDES GST']],
    ['tax', ['TOTAL INCLUDES', 'INCLUDED IN TOTAL', 'INCLUSIVE GST OF']],
    [
      'subtotal',
      [
        'SUBTOTAL',
        'SUB TOTAL',
        'TOTAL EXCL',
        'TOTAL EXCLUDING',
        'TOTAL EXCLUDE',
        'EXCLUDING GST',
        'EXCL GST',
        'EXCLUDED GST',
        'EXCLUDING SST',
        'TOTAL BEFORE',
        'AMOUNT EXCL',
        'GROSS AMOUNT',
        'GROSS AMT',
      ],
    ],
    [
      'total',
      [
        'TOTAL INCL',
        'TOTAL INCLUSIVE',
        'INCLUSIVE OF GST',
        'INCLUSIVE GST',
        'INCL GST',
        'INCLUDING GST',
        'WITH GST',
        'GRAND TOTAL',
        'NETT TOTAL',
        'NET TOTAL',
        'TOTAL PAYABLE',
        'AMOUNT PAYABLE',
        'TOTAL DUE',
        'AMOUNT DUE',
        'TOTAL AMOUNT',
        'TOTAL AMT',
        'TOTAL SALES',
        'NET AMT',
        'NETT AMT',
        'NET AMOUNT',
        'BILL TOTAL',
        'TOTAL RM',
      ],
    ],
    ['tax', ['TOTAL GST', 'TOTAL TAX', 'TOTAL SST', 'GST', 'SST', 'SERVICE TAX', 'SALES TAX', 'GOVT TAX', 'TAX']],
    ['subtotal', ['JUMLAH KECIL']],
    ['total', ['JUMLAH BESAR', 'JUMLAH KESELURUHAN', 'JUMLAH BERSIH']],
    ['tax', ['CUKAI']],
    ['total', ['TOTAL', 'JUMLAH', 'NETT']],
    ...PAYMENT_PHRASES,
    ['tender', ['TUNAI', 'BAYARAN', 'KAD']],
  ],
  companyWords: [
    'SDN',
    'BHD',
    'BERHAD',
    'ENTERPRISE',
    'TRADING',
    'HARDWARE',
    'RESTAURANT',
    'RESTORAN',
    'STATIONERY',
    'MART',
    'MARKET',
    'SUPERMARKET',
    'CAFE',
    'PASARAYA',
    'PERNIAGAAN',
    'SYARIKAT',
    'S/B',
    'CO.',
    'COMPANY',
    'GROCER',
    'BISTRO',
    'KITCHENETTE',
    'GALLERY',
    'BAKERY',
    'PHARMACY',
    'PASAR',
    'KEDAI',
    'BOOK',
  ],
  companyForms: ['SDN', 'BHD', 'BERHAD', 'S', 'B', 'M'],
  addressWords: [
    'TEL',
    'FAX',
    'PHONE',
    'JALAN',
    'JLN',
    'LOT',
    'TAMAN',
    'NO',
    'GST',
    'SST',
    'CO REG',
    'REG',
    'INVOICE',
    'RECEIPT',
    'KAWASAN',
    'BANDAR',
    'LEVEL',
    'ROC',
    'WWW',
    'EMAIL',
  ],
  regions: [
    /(?<!LOT |NO )\b(\d{5}) (?!JALAN|JLN|LORONG|TAMAN)(?=[A-Z]{4})/g,
    new RegExp(`\\b(${MALAYSIAN_STATES})\\b`, 'g'),
  ],
};

export const LOCALES: Readonly<Record<string, Locale>> = { US, MY: MALAYSIA };
