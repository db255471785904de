/**
 * The version of all data that answers depend on: units, codes, phone metadata, zones, polygons. It changes whenever an
 * answer could change, so that callers can detect that.
 */
export const DATA_VERSION = '2026.11.0';
