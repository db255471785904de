import { amount, each, type Fields, measure, measureValue, type Weights } from './field.ts';

const objects = { kind: 'objects', container: 'own' } as const;

/** The further fields of properties. */
export const PROPERTY = {
  ...each({ kind: 'text' }, 'listingName', 'buildingName', 'propertyType', 'mlsNumber', 'agent', 'company'),
  beds: { kind: 'beds', aliases: ['bedrooms', 'numBedroom'] },
  baths: { kind: 'baths', aliases: ['bathrooms', 'numBathroom'] },
  ...each({ kind: 'rooms' }, 'rooms', 'numRoom'),
  ...each({ kind: 'count' }, 'numFloor', 'numPeople', 'numUnit'),
  area: { ...measure('area'), or: ['floorSizeValue', 'livingArea'] },
  floorSizeValue: measureValue('area', 'floorSizeUnit'),
  livingArea: { ...measure('area'), aliases: ['floorSize'] },
  lotArea: { ...measure('area'), aliases: ['lotSize'] },
  lotSizeValue: measureValue('area', 'lotSizeUnit'),
  yearBuilt: { kind: 'year', aliases: ['builtIn'] },
  listed: { kind: 'past', aliases: ['listedOn'] },
  soldOn: { kind: 'past' },
  availableFrom: { kind: 'date' },
  pricePerSquareFoot: amount,
  ...each(objects, 'deposits', 'fees', 'propertyTaxes', 'availableDates', 'unavailableDates'),
  ...each(objects, 'brokers', 'nearbySchools'),
  distanceValue: { kind: 'number' },
  distanceUnit: { kind: 'unit', dimensions: ['length'] },
} as const satisfies Fields;

// biome-ignore format: one table
export const PROPERTY_WEIGHTS = {
  price: 1, currency: 1, area: 1, address: 2, beds: 1, baths: 1, yearBuilt: 1,
} as const satisfies Weights;
