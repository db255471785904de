/** Prefixes of partition keys in the console's table, by which the construct grants access. */
export const SESSION = 'SESSION#';
export const FORM = 'FORM#';
export const ATTEMPTS = 'ATTEMPTS#';
export const DEVICE_KEY = 'DEVICE_KEY#';
export type ConsoleKey = typeof SESSION | typeof FORM | typeof ATTEMPTS | typeof DEVICE_KEY;
