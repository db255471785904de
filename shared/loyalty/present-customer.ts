import type { LoyaltyCustomer } from './loyalty-caller.ts';

/** The `user` of an answer. It never contains personal data; an anonymous customer has only its id. */
export const presentCustomer = ({ id, externalId, anonymous }: LoyaltyCustomer) => ({
  id,
  ...(externalId !== undefined && !anonymous && { external_id: externalId }),
});
