import type { ClearSecrets, Configuration } from '../configurations/configuration.ts';
import type { Payload, RunBase } from '../runs/run.ts';
import { withoutSecrets } from '../sending/masked-answer.ts';
import { type Authentication, requestHeaders } from '../sending/request-headers.ts';
import type { Send, SendResult } from '../sending/sending.ts';
import { signatureHeaders } from '../sending/signature.ts';
import { BLOCKED_TARGET, type PrivateTargets, readTarget } from '../sending/target-policy.ts';

/** The input of one POST. */
export interface Posting {
  readonly run: Pick<RunBase, 'tenant' | 'configurationId' | 'retryTimeoutSeconds' | 'idempotencyKey'>;
  readonly payload: Pick<Payload, 'body' | 'headers'>;
  readonly configuration: Configuration;
  readonly secrets: ClearSecrets;
  /** The time of the attempt, which is signed. */
  readonly at: number;
}

/**
 * Makes one attempt of a run: sends its payload to the URL of the configuration, with the authentication and signature
 * of the same revision.
 */
export const postRun =
  (send: Send, privateTargets: PrivateTargets) =>
  async ({ run, payload, configuration, secrets, at }: Posting): Promise<SendResult> => {
    const read = readTarget(configuration.targetUrl, privateTargets);
    if (!read.ok) return { kind: 'not-answered', failure: BLOCKED_TARGET, timings: { totalMillis: 0 } };
    const authentication = inClear(configuration, secrets.authentication);
    const { idempotencyKey } = run;
    const { body } = payload;
    const signature = signatureHeaders({ idempotencyKey, at, body }, secrets.signing);
    const result = await send({
      target: read.target,
      headers: requestHeaders({
        idempotencyKey,
        custom: payload.headers,
        authentication,
        signature,
      }),
      body,
      timeoutMillis: run.retryTimeoutSeconds * 1000,
      connectionGroup: `${run.tenant}#${run.configurationId}`,
    });
    return withoutSecrets(result, { authentication, signing: secrets.signing, signature });
  };

function inClear({ authentication }: Configuration, secret = ''): Authentication {
  return authentication.type === 'none' ? authentication : { ...authentication, secret };
}
