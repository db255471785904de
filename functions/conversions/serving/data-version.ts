/**
 * The version of everything that answers depend on: units, codes, phone metadata, zones, polygons. It changes with every
 * change that could change an answer, so that callers can tell.
 */
export const DATA_VERSION = '2026.11.0';
