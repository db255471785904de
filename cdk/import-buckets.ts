/** The outputs with the names of the buckets of imported files, by domain. These buckets keep versions. */
export const IMPORT_BUCKETS = {
  records: 'ImportsBucket',
  places: 'PlacesImportsBucket',
} as const;
