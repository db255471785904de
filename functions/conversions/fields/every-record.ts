import { amount, each, type Fields, names, price } from './field.ts';

const IN_ADDRESS = ['', 'address'];
const POINTS = ['', 'location', 'point', 'geo', 'coordinates', 'address'];

/** The fields of records of every type. */
export const EVERY_RECORD = {
  name: { kind: 'name', aliases: ['title'] },
  phone: { kind: 'phone', aliases: names('phones telephone phoneNumber') },
  mobile: { kind: 'phone' },
  fax: { kind: 'phone', aliases: ['faxes'] },
  email: { kind: 'email', aliases: ['emails'] },
  website: { kind: 'web', aliases: ['websites'], or: ['domain', 'url'] },
  url: { kind: 'web', aliases: ['homepage'] },
  domain: { kind: 'host', aliases: ['domains'] },
  imageURLs: { kind: 'link', or: ['images'] },
  images: { kind: 'any', aliases: ['image'] },
  sourceURLs: { kind: 'link' },

  address: { kind: 'address', container: 'part' },
  street: { kind: 'text', aliases: ['line1'], within: IN_ADDRESS },
  ...each({ kind: 'text', within: IN_ADDRESS }, 'line2', 'city'),
  province: { kind: 'text', aliases: ['state', 'region'], within: IN_ADDRESS },
  postalCode: { kind: 'postcode', aliases: ['postcode', 'zip'], within: IN_ADDRESS },
  country: { kind: 'country', aliases: ['countryCode'], within: IN_ADDRESS },
  neighborhoods: { kind: 'text' },
  lat: { kind: 'latitude', aliases: ['latitude'], within: POINTS },
  lon: { kind: 'longitude', aliases: ['longitude', 'lng'], within: POINTS },
  ...each({ kind: 'any', container: 'part' }, 'location', 'geo', 'point', 'coordinates'),

  categories: { kind: 'text', aliases: ['category', 'primaryCategories'] },
  description: { kind: 'verbatim', or: ['descriptions'] },
  descriptions: { kind: 'verbatim', container: 'own', holds: each({ kind: 'verbatim' }, 'value') },
  keys: { kind: 'verbatim' },

  price: { ...price, or: ['amountMin', 'amountMax'] },
  ...each(price, 'salePrice', 'listPrice'),
  ...each(amount, 'msrp', 'amount'),
  ...each({ ...amount, within: ['prices'] }, 'amountMin', 'amountMax'),
  currency: { kind: 'currency', aliases: ['priceCurrency'], within: ['', 'price', 'prices'] },
  isSale: { kind: 'flag' },

  ...each({ kind: 'past' }, 'dateAdded', 'dateUpdated', 'dateSeen'),
  ...each({ kind: 'date' }, 'date', 'dateValidStart', 'dateValidEnd', 'startDate', 'endDate'),

  ...each({ kind: 'objects', container: 'own' }, 'people', 'prices', 'statuses'),
  reviews: {
    kind: 'objects',
    container: 'own',
    holds: {
      ...each({ kind: 'past' }, 'date'),
      ...each({ kind: 'verbatim' }, 'text'),
      ...each({ kind: 'text' }, 'username', 'userCity', 'userProvince'),
      ...each({ kind: 'number' }, 'rating', 'numHelpful'),
      ...each({ kind: 'flag' }, 'didPurchase', 'doRecommend'),
    },
  },
} as const satisfies Fields;
