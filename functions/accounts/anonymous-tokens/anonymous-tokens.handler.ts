/** API function: issues tokens for customers who are not registered. Nothing is stored: the customer exists only by the token. */
import * as z from 'zod';
import { keySecrets } from '#shared/auth/key-secrets.secretsmanager';
import { readEnv } from '#shared/env';
import { isoTime } from '#shared/formats/timestamp';
import { apiRoutes, ok } from '#shared/http/http-handler';
import { newId } from '#shared/ids';
import { ANONYMOUS, anonymousExpiry, newAnonymousToken } from '#shared/loyalty/anonymous-token';
import { loyaltyEnv, loyaltySurface } from '#shared/loyalty/loyalty-surface.dynamodb';
import { anonymousTokenOperations } from './anonymous-tokens.operations.ts';

export const Env = z.object(loyaltyEnv);
const env = readEnv(Env);
const secretsOf = keySecrets(env.KEY_SECRETS);
const surface = loyaltySurface(env, secretsOf);

/** A body is ignored: there is nothing to state. */
export const handler = apiRoutes(surface, anonymousTokenOperations, {
  createAnonymousToken: async ({ caller: { app }, now }) => {
    const id = newId(ANONYMOUS);
    const secrets = await secretsOf.issuing(now);
    const token = await newAnonymousToken({ tenant: app.tenant, app: app.id, customer: id }, secrets, now);
    const issued = { auth_token: token, expires: isoTime(anonymousExpiry(now)) };
    return ok({ status: 'ok', user: { id, ...issued }, ...issued });
  },
});
