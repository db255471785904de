import { ACCOUNTS_KINDS } from '../../../functions/accounts/stored-kinds.ts';
import { CONVERSIONS_KINDS } from '../../../functions/conversions/stored-kinds.ts';
import { IMAGES_KINDS } from '../../../functions/images/stored-kinds.ts';
import { PLACES_KINDS } from '../../../functions/places/stored-kinds.ts';
import { RECORDS_KINDS } from '../../../functions/records/stored-kinds.ts';
import { WEBHOOKS_KINDS } from '../../../functions/webhooks/stored-kinds.ts';
import type { ErasingDomain } from '../../../shared/erasures/erasure.ts';
import type { StoredKinds } from '../../../shared/export/stored-kinds.ts';

/** The kinds of items of every table, by the domain that erases what it holds of tenants. */
export const TENANT_KINDS: Readonly<Record<ErasingDomain, StoredKinds<string>>> = {
  accounts: ACCOUNTS_KINDS,
  records: RECORDS_KINDS,
  webhooks: WEBHOOKS_KINDS,
  conversions: CONVERSIONS_KINDS,
  places: PLACES_KINDS,
  images: IMAGES_KINDS,
};
