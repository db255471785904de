import { each, type Fields, measure, names, type Weights } from './field.ts';

/** The further fields of products. */
export const PRODUCT = {
  gtin: { kind: 'gtin', aliases: ['gtins', 'gtin14'], or: ['gtin13', 'isbn'] },
  gtin13: { kind: 'trade-number', aliases: names('gtin12 gtin8 ean upc barcode') },
  isbn: { kind: 'isbn' },
  brand: { kind: 'text', aliases: ['manufacturer'] },
  mpn: { kind: 'text', aliases: ['manufacturerNumber'] },
  ...each({ kind: 'text' }, 'colors', 'flavors'),
  sizes: { kind: 'text', unit: 'sizeUnit' },
  quantity: { kind: 'any', or: ['netContent', 'packSize', 'sizes', 'weight'] },
  packSize: { kind: 'any', aliases: ['size'] },
  netContent: measure('mass', 'volume'),
  weight: measure('mass'),
  ...each(measure('length'), 'length', 'width', 'height', 'depth'),
  volume: measure('volume'),
  dimensions: { kind: 'any', aliases: ['dimension', 'packageDimensions'] },
  releaseDate: { kind: 'date' },
  merchants: { kind: 'objects', container: 'own' },
} as const satisfies Fields;

// biome-ignore format: one table
export const PRODUCT_WEIGHTS = {
  name: 2, gtin: 2, brand: 1, price: 1, currency: 1, categories: 1, description: 1, imageURLs: 1,
} as const satisfies Weights;
