import type { Configuration } from '../configurations/configuration.ts';
import type { Post } from '../runs/deliver-run.ts';
import { type Authentication, requestHeaders } from './request-headers.ts';
import type { Send, SendResult } from './sending.ts';
import { BLOCKED_TARGET, type PrivateTargets, readTarget } from './target.ts';

/** One attempt of a run: its own payload and target, and the configuration's authentication as it is now. */
export const postRun =
  (send: Send, privateTargets: PrivateTargets) =>
  async ({ run, payload, configuration, secret }: Post): Promise<SendResult> => {
    const read = readTarget(run.targetUrl, privateTargets);
    if (!read.ok) return { kind: 'not-answered', failure: BLOCKED_TARGET, timings: { totalMillis: 0 } };
    return send({
      target: read.target,
      headers: requestHeaders({
        idempotencyKey: run.idempotencyKey,
        custom: payload.headers,
        authentication: inClear(configuration, secret),
      }),
      body: payload.body,
      timeoutMillis: run.retryTimeoutSeconds * 1000,
      connectionGroup: `${run.tenant}#${run.configurationId}`,
    });
  };

function inClear({ authentication }: Configuration, secret = ''): Authentication {
  return authentication.type === 'none' ? authentication : { ...authentication, secret };
}
