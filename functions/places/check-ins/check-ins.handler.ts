/** POST …/places/{place_id}/check_ins: checks a customer in, registered or anonymous. */
import * as z from 'zod';
import { keySecrets } from '#shared/auth/key-secrets.secretsmanager';
import { readEnv } from '#shared/env';
import { callerHandler, describedRoutes, ok } from '#shared/http/http-handler';
import type { AnswerOf } from '#shared/http/operation';
import { textOf } from '#shared/http/request-body';
import { newId } from '#shared/ids';
import { loyaltyEnv, loyaltySurface } from '#shared/loyalty/loyalty-surface.dynamodb';
import { presentCustomer } from '#shared/loyalty/present-customer';
import { boundTable } from '#shared/table/table.dynamodb';
import { cachedPromotions } from '../ad-units/cached-promotions.dynamodb.ts';
import { placesTable } from '../environment.ts';
import { type CheckInDeps, checkInAt, presentCheckedIn } from './check-in.ts';
import { readCheckInRequest } from './check-in-request.ts';
import { commitCheckIn, evidenceOf } from './check-in-store.dynamodb.ts';
import { checkInOperations } from './check-ins.operations.ts';

export const Env = z.object({ ...loyaltyEnv, ...placesTable });
const env = readEnv(Env);
const places = boundTable(env.PLACES_TABLE);
const surface = loyaltySurface(env, keySecrets(env.KEY_SECRETS));
const promotions = cachedPromotions(places);
const deps: CheckInDeps = {
  evidence: (customer, placeId, now) => evidenceOf(places, customer, { placeId, now }),
  commit: (checkIn) => commitCheckIn({ places, accounts: env.ACCOUNTS_TABLE }, checkIn),
  creativeOf: async (tenant, placeId, now) => (await promotions(tenant, now)).creativeOf(placeId),
  hasAdUnit: async (tenant, creativeId, now) => (await promotions(tenant, now)).hasUnit(creativeId),
  newId: () => newId('chk'),
};

const checkIn = callerHandler(
  surface,
  async (event, { caller, now }): Promise<AnswerOf<(typeof checkInOperations)['checkIn']>> => {
    const placeId = event.pathParameters?.['place_id'] ?? '';
    const checkedIn = await checkInAt(deps, caller, { placeId, request: readCheckInRequest(textOf(event)) }, now);
    const user = presentCustomer(checkedIn.checkIn.customer);
    return ok({ status: 'ok', check_in: presentCheckedIn(checkedIn), user });
  },
  { isHot: true },
);

export const handler = describedRoutes(checkInOperations, {
  checkIn,
  checkInCustomer: checkIn,
  checkInExternalCustomer: checkIn,
  checkInAnonymousCustomer: checkIn,
});
