import type { StoredItem, StoredKinds } from '#shared/export/stored-kinds';
import type { ConsoleKey } from './table-keys.ts';

const tenantOfPerson = ({ person }: StoredItem) => (person as { readonly tenant?: unknown } | undefined)?.tenant;

/** What the console's table holds. Nothing of it is exported. */
export const CONSOLE_KINDS: StoredKinds<ConsoleKey> = {
  'SESSION#': { tenant: tenantOfPerson, leftOut: 'It lets a person in, and ends within half a day.' },
  'FORM#': { ownerless: 'They say for a day where a form has led that was sent, under a digest of the session.' },
  'ATTEMPTS#': { ownerless: 'They count attempts to sign in, under digests of names and networks, for some minutes.' },
  'DEVICE_KEY#': { ownerless: 'They sign cookies of all browsers.' },
};
