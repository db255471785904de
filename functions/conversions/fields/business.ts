import { amount, each, type Fields, names, type Weights } from './field.ts';

const CURRENCIES = ['currency', 'priceCurrency'];
const priceRange = { ...amount, currencies: ['priceRangeCurrency', ...CURRENCIES] };
const revenue = { ...amount, currencies: ['revenueCurrency', ...CURRENCIES] };

/** The further fields of businesses. */
export const BUSINESS = {
  legalForm: { kind: 'legal-form' },
  ...each({ kind: 'text' }, 'cuisines', 'twitter'),
  hours: { kind: 'any', aliases: ['openingHours'] },
  ...each({ kind: 'web' }, 'careerPageURL', 'menuPageURL'),
  menus: { kind: 'objects', container: 'own' },
  opened: { kind: 'past', aliases: names('openedOn dateOpened') },
  founded: { kind: 'past' },
  closed: { kind: 'date', aliases: ['closedOn'] },
  yearOpened: { kind: 'year' },
  isClosed: { kind: 'flag' },
  numRoom: { kind: 'rooms' },
  ...each({ kind: 'count' }, 'numEmployeesMin', 'numEmployeesMax'),
  ...each(priceRange, 'priceRangeMin', 'priceRangeMax'),
  ...each(revenue, 'revenueMin', 'revenueMax'),
  ...each({ kind: 'currency' }, 'priceRangeCurrency', 'revenueCurrency'),
} as const satisfies Fields;

// biome-ignore format: one table
export const BUSINESS_WEIGHTS = {
  name: 2, address: 2, country: 1, lat: 1, phone: 1, website: 1, categories: 1, hours: 1,
} as const satisfies Weights;
