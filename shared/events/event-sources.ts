/** The built-in modules, with the only domains that may announce their events. */
export const EVENT_SOURCES = {
  conversions: ['conversions'],
  places: ['places'],
  images: ['images'],
  // Downloads and imports of records, and imports of places.
  downloads: ['records', 'places'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
