import type { Configuration } from '../configurations/configuration.ts';
import type { Payload, RunFacts } from '../runs/run.ts';
import { withoutSecret } from '../sending/masked-answer.ts';
import { type Authentication, requestHeaders } from '../sending/request-headers.ts';
import type { Send, SendResult } from '../sending/sending.ts';
import { BLOCKED_TARGET, type PrivateTargets, readTarget } from '../sending/target.ts';

/** What one POST needs to know. */
export interface Posting {
  readonly run: Pick<RunFacts, 'tenant' | 'configurationId' | 'retryTimeoutSeconds' | 'idempotencyKey'>;
  readonly payload: Pick<Payload, 'body' | 'headers'>;
  readonly configuration: Configuration;
  readonly secret: string | undefined;
}

/** Makes one attempt of a run: sends its payload to the URL of the configuration, with the authentication of the same revision. */
export const postRun =
  (send: Send, privateTargets: PrivateTargets) =>
  async ({ run, payload, configuration, secret }: Posting): Promise<SendResult> => {
    const read = readTarget(configuration.targetUrl, privateTargets);
    if (!read.ok) return { kind: 'not-answered', failure: BLOCKED_TARGET, timings: { totalMillis: 0 } };
    const authentication = inClear(configuration, secret);
    const result = await send({
      target: read.target,
      headers: requestHeaders({
        idempotencyKey: run.idempotencyKey,
        custom: payload.headers,
        authentication,
      }),
      body: payload.body,
      timeoutMillis: run.retryTimeoutSeconds * 1000,
      connectionGroup: `${run.tenant}#${run.configurationId}`,
    });
    return withoutSecret(result, authentication);
  };

function inClear({ authentication }: Configuration, secret = ''): Authentication {
  return authentication.type === 'none' ? authentication : { ...authentication, secret };
}
