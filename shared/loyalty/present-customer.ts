import type { LoyaltyCustomer } from './loyalty-caller.ts';

/** The `user` of an answer: never personal data, and to an anonymous customer nothing but its id. */
export const presentCustomer = ({ id, externalId, anonymous }: LoyaltyCustomer) => ({
  id,
  ...(externalId !== undefined && !anonymous && { external_id: externalId }),
});
