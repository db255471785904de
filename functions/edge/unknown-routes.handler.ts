/** Refuses every request that no other route takes, with the errors of the interface that the path belongs to. */
import * as z from 'zod';
import { dataSurface } from '#shared/auth/data-token-items.dynamodb';
import { readEnv, resource } from '#shared/env';
import { Refusal } from '#shared/errors';
import { httpHandler, httpRoutes } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { loyaltyError, presentLoyaltyError } from '#shared/loyalty/loyalty-error';

export const Env = z.object({ ACCOUNTS_TABLE: resource });
const surface = dataSurface(readEnv(Env).ACCOUNTS_TABLE);

const management = httpHandler(managementApi, {}, () => {
  throw new Refusal(404, 'not-found', 'There is no such resource, or it does not take this method.');
});

/** Every path of the interface takes GET only, so another method is the caller's mistake, whatever the path. */
const data = httpHandler(surface, {}, ({ method }) => {
  if (method !== 'GET') throw new Refusal(405, 'method-not-allowed', 'Only GET is allowed.');
  throw new Refusal(404, 'not-found', 'The requested resource was not found.');
});

/** Nobody is identified: whoever calls, there is nothing at the path. */
const loyalty = httpHandler({ identify: () => undefined, present: presentLoyaltyError }, {}, () => {
  throw loyaltyError('not_found', 'There is no such resource, or it does not take this method.');
});

export const handler = httpRoutes({
  'ANY /manage/{proxy+}': management,
  'ANY /v3/{proxy+}': data,
  'ANY /priv/{proxy+}': loyalty,
  'ANY /api/{proxy+}': loyalty,
});
