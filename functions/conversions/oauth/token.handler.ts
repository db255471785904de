/** POST /oauth/token: an access token for a test client, by client credentials (RFC 6749, section 4.4). */
import * as z from 'zod';
import { keySecrets } from '#shared/auth/key-secrets.secretsmanager';
import { provenKey } from '#shared/auth/self-proving-key';
import { readEnv } from '#shared/env';
import { describedRoutes, loggedHandler } from '#shared/http/http-handler';
import { addLogFields } from '#shared/telemetry/log';
import { newAccessToken } from '../billing/credentials/access-token.ts';
import { CLIENT_SECRET_KIND } from '../billing/credentials/credential-kinds.ts';
import { metered } from '../environment.ts';
import { withStanding } from '../serving/metered-route.ts';
import { bodyOf } from '../serving/request-checks.ts';
import { routeParts } from '../serving/route-parts.dynamodb.ts';
import { clientIn, suspendedClient, unknownClient } from './client-credentials.ts';
import { tokenOperations } from './token.operations.ts';
import { granted, limited, presented, refused } from './token-answers.ts';

export const Env = z.object(metered);
const env = readEnv(Env);
const parts = await routeParts(env, () => Date.now());
const secretsAt = keySecrets(env.KEY_SECRETS);

const MODE = 'test';

const token = loggedHandler(presented, async (event) => {
  const now = Date.now();
  const { authorization, 'content-type': contentType } = event.headers;
  const client = clientIn({ contentType, authorization, body: bodyOf(event) });
  if ('error' in client) return refused(client, authorization !== undefined);
  const proven = provenKey(client.clientSecret, [CLIENT_SECRET_KIND], await secretsAt(now));
  const wrong = refused(unknownClient('The client does not exist, is revoked, or has another secret.'), client.isBasic);
  if (!proven || proven.id !== client.clientId) return wrong;
  const { tenant, id: clientId, hash } = proven;
  addLogFields({ tenant });
  if (!(await parts.statusOf(tenant, now)).active) return refused(suspendedClient());
  const caller = { tenant, mode: MODE, credentialId: clientId, hash } as const;
  const metered = await parts.metering.admit({ caller, counts: false });
  if (metered.kind === 'unknown-credential') return wrong;
  if (metered.kind === 'rate-limited' || metered.kind === 'rate-limited-locally') {
    const { item, retryAfterSeconds } = metered;
    return withStanding(parts, limited(), { mode: MODE, item, retryAfterSeconds });
  }
  if (metered.kind === 'admitted') await parts.noteUse(caller);
  const accessToken = await newAccessToken({ tenant, clientId }, await secretsAt.issuing(now), now);
  return withStanding(parts, granted(accessToken), { mode: MODE, item: metered.item });
});

export const handler = describedRoutes(tokenOperations, { createAccessToken: token });
