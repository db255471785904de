/** Refuses every request that no other route takes, with the errors of the interface that the path belongs to. */
import * as z from 'zod';
import { dataSurface } from '#shared/auth/data-token-items.dynamodb';
import { readEnv, resource } from '#shared/env';
import { callerHandler, type HttpHandler, httpRoutes, loggedHandler, type Surface } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { presentLoyaltyError } from '#shared/loyalty/loyalty-error';
import { pathMethodsIn } from './allowed-methods.ts';
import { unknownPathAnswer } from './unknown-path.ts';

export const Env = z.object({ ACCOUNTS_TABLE: resource, PATH_METHODS: z.string() });
const env = readEnv(Env);
const paths = pathMethodsIn(env.PATH_METHODS);

/**
 * Makes the refusals of an interface whose codes are written with hyphens, or else with underscores. OPTIONS needs no
 * credential: browsers send none with a preflight.
 */
function refusing<Caller>(surface: Surface<Caller>, between: '-' | '_' = '-') {
  const refuse = callerHandler(surface, async (event) => unknownPathAnswer(paths, event, between));
  const tell = loggedHandler(surface.present, async (event) => unknownPathAnswer(paths, event, between));
  return ((event, context) =>
    event.requestContext.http.method === 'OPTIONS'
      ? tell(event, context)
      : refuse(event, context)) satisfies HttpHandler;
}

const loyalty = refusing({ identify: () => undefined, present: presentLoyaltyError }, '_');

export const handler = httpRoutes({
  'ANY /manage/{proxy+}': refusing(managementApi),
  'ANY /v3/{proxy+}': refusing(dataSurface(env.ACCOUNTS_TABLE)),
  'ANY /priv/{proxy+}': loyalty,
  'ANY /api/{proxy+}': loyalty,
});
