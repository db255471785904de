import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Refusal } from '#shared/errors';
import type { HttpEvent, HttpResult, RepeatableRequest } from '#shared/http/http-handler';
import { textOf } from '#shared/http/request-body';
import { log } from '#shared/telemetry/log';
import type { Answers, Claim } from './answer.ts';
import { answerName, keyIn, textFingerprint } from './idempotency-key.ts';

/** A claim of a key ends after this time, if its function has died. No function behind the API runs longer. */
const CLAIM_MILLIS = 60_000;

/**
 * Carries out a request with an `Idempotency-Key` once: if it is repeated within a day with the same credential, the
 * first answer is returned. `claimedBy` in `answer.ts` compares the bodies. A request that was refused or failed can be
 * repeated with the same key. A repetition can take effect twice in two cases only: the function dies before it stores
 * its answer, or the table fails then.
 */
export const answeredOnce =
  (answers: Answers) =>
  async (request: RepeatableRequest<{ readonly tenant: string }>, answer: () => Promise<HttpResult>) => {
    const { event, now } = request;
    const header = event.headers['idempotency-key'];
    if (header === undefined) return answer();
    const key = keyIn(header);
    if (key === undefined) throw new Refusal(400, 'invalid-input', INVALID_KEY);
    const seal = sealOf(event, key);
    const claim = claimOf(request, key);
    const claimed = await claimedAt(answers, claim, now);
    if (claimed.kind === 'replay') return replayed(seal.open(claimed.answer.body), claimed.answer.status);
    if (claimed.kind === 'reused') throw new Refusal(422, 'idempotency-key-reused', REUSED);
    if (claimed.kind === 'in-progress') {
      throw new Refusal(409, 'idempotency-in-progress', IN_PROGRESS, { headers: { 'retry-after': '1' } });
    }
    return settled(answers, claim, { seal, answer });
  };

const INVALID_KEY = 'Idempotency-Key: must be 1 to 255 visible ASCII characters, bare or in double quotes';
const REUSED = 'The Idempotency-Key was sent before with another body. Send a new key with a new request.';
const IN_PROGRESS = 'The first request with this Idempotency-Key is under way. Try again in a second.';

/** The claim of a key. Its name contains the credential, so that callers with different credentials have different keys. */
function claimOf({ event, caller, now }: RepeatableRequest<{ readonly tenant: string }>, key: string): Claim {
  const { http, requestId } = event.requestContext;
  const scope = {
    tenant: caller.tenant,
    caller: credentialOf(event),
    method: http.method,
    path: `${http.path}?${event.rawQueryString}`,
  };
  return {
    name: answerName(scope, key),
    fingerprint: textFingerprint(textOf(event) ?? ''),
    owner: requestId,
    until: now + CLAIM_MILLIS,
  };
}

const credentialOf = ({ headers }: HttpEvent): string => headers['authorization'] ?? '';

async function claimedAt(answers: Answers, claim: Claim, now: number) {
  try {
    return await answers.claim(claim, now);
  } catch (cause) {
    const detail = 'Repeated requests cannot be recognised at the moment, so nothing is done. Try again in a minute.';
    throw new Refusal(503, 'unavailable', detail, { cause });
  }
}

interface Settling {
  readonly seal: Seal;
  readonly answer: () => Promise<HttpResult>;
}

async function settled(answers: Answers, claim: Claim, { seal, answer }: Settling): Promise<HttpResult> {
  let result: HttpResult;
  try {
    result = await answer();
  } catch (error) {
    await ignoringFailure(answers.release(claim));
    throw error;
  }
  const { statusCode: status = 200, headers, body } = result;
  await ignoringFailure(answers.complete(claim, { status, contentType: '', body: seal.close({ headers, body }) }));
  return result;
}

/** A failed write of the claim is logged only: the request has been carried out, and the caller gets its answer. */
const ignoringFailure = (write: Promise<void>): Promise<void> =>
  write.catch((error: unknown) => log.error('idempotency key not updated', { error }));

type Sealed = Pick<HttpResult, 'headers' | 'body'>;

const replayed = ({ headers, body }: Sealed, statusCode: number): HttpResult => ({
  statusCode,
  headers: { ...headers, 'idempotent-replayed': 'true' },
  ...(body !== undefined && { body }),
});

/** Answers may hold a secret that is shown once, so they are stored in a form that only the same credential opens. */
interface Seal {
  close(answer: Sealed): string;
  open(sealed: string): Sealed;
}

const [NONCE_BYTES, TAG_BYTES] = [12, 16] as const;

function sealOf(event: HttpEvent, key: string): Seal {
  const secret = Buffer.from(hkdfSync('sha256', credentialOf(event), key, 'answer of a repeatable request', 32));
  return {
    close(answer) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', secret, nonce);
      const text = [cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...text]).toString('base64');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
      return JSON.parse(Buffer.concat(text).toString('utf8')) as Sealed;
    },
  };
}
