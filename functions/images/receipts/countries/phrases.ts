import type { Phrases } from './locale.ts';

/** Titles of papers that look like receipts and are none of a purchase. */
export const OTHER_TITLES = [
  'CREDIT NOTE',
  'CREDIT MEMO',
  'REFUND',
  'REFUND RECEIPT',
  'QUOTATION',
  'PROFORMA INVOICE',
  'DELIVERY ORDER',
  'VOID',
  'GUTSCHRIFT',
  'STORNO',
  'ANGEBOT',
];

export const TOTAL_PHRASES: Phrases = [
  // This precedes change, whose letters resemble those of charge.
  [
    'service',
    ['SERVICE CHARGE', 'SERVICE CHRG', 'SERVICE CHG', 'SVC CHG', 'SVC CHARGE', 'SERV CHARGE', 'SVR CHRG', 'SER CHG'],
  ],
  [
    'header',
    ['DESCRIPTION', 'UNIT PRICE', 'U PRICE', 'QTY PRICE', 'QTY ITEM', 'PRICE AMOUNT', 'ITEM QTY', 'QTY AMOUNT'],
  ],
  [
    'count',
    [
      'TOTAL QTY',
      'TOT QTY',
      'TOTAL ITEM',
      'TOTAL ITEMS',
      'TOTAL QUANTITY',
      'ITEM COUNT',
      'ITEMS SOLD',
      'NO ITEMS',
      'QTY TOTAL',
      'ITEM S',
      'QTY S',
    ],
  ],
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

export const PAYMENT_PHRASES: Phrases = [
  [
    'tender',
    [
      'AMOUNT TENDERED',
      'CASH TENDERED',
      'CASH TEND',
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
