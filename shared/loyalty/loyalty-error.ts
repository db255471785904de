import { Refusal } from '#shared/errors';
import { type HttpResult, json } from '#shared/http/http-handler';

/**
 * The error codes of the loyalty interfaces. A call that was carried out answers 200, even if its outcome is negative.
 */
export const LOYALTY_CODES = {
  access_denied: 401,
  account_suspended: 403,
  argument_error: 200,
  campaign_unavailable: 200,
  check_in_limit_reached: 200,
  check_in_not_available: 200,
  check_in_too_far_away: 200,
  https_only: 401,
  image_not_found: 200,
  internal_server_error: 500,
  invalid_api_key: 401,
  invalid_auth_token: 401,
  method_not_allowed: 405,
  missing_data: 200,
  not_available: 200,
  not_found: 404,
  payload_too_large: 413,
  requires_registered_user: 200,
  unsupported_media_type: 415,
  user_not_found: 404,
  validation: 200,
} as const satisfies Readonly<Record<string, 200 | 401 | 403 | 404 | 405 | 413 | 415 | 500>>;
export type LoyaltyCode = keyof typeof LOYALTY_CODES;

interface Options {
  /**
   * `access_denied` with status 200 means that a setting of the app forbids an authorised call.
   * @default the status of the code
   */
  readonly status?: 200;
  readonly cause?: unknown;
}

export const loyaltyError = (code: LoyaltyCode, message: string, { status, cause }: Options = {}): Refusal =>
  new Refusal(status ?? LOYALTY_CODES[code], code, message, { cause });

/** Presents errors of `/priv/v1` and `/api/v1`: `errors` is one object with a lower-case code. */
export function presentLoyaltyError(refusal: Refusal, _requestId: string): HttpResult {
  const { status, code } = ownWordsFor(refusal);
  const body = { status: 'error', errors: { code, message: refusal.detail } };
  return json(status, body, status === 401 ? CHALLENGE : {});
}

const CHALLENGE = { 'www-authenticate': 'Basic realm="loyalty", charset="UTF-8"' };

/** Codes for requests that are wrong before their content is read. */
const OF_HTTP = ['method_not_allowed', 'payload_too_large', 'unsupported_media_type'] as const;

/** A caller whom no interface serves, because it goes round the domain of the stage, is denied access. */
const ofRequest = (status: number) =>
  status === 403 ? 'access_denied' : OF_HTTP.find((each) => LOYALTY_CODES[each] === status);

/** The codes for what every interface refuses: faults of the service, and input that does not fit a schema. */
function ownWordsFor({ status, code }: Refusal): { status: number; code: string } {
  if (Object.hasOwn(LOYALTY_CODES, code)) return { status, code };
  const own = status >= 500 ? 'internal_server_error' : (ofRequest(status) ?? 'argument_error');
  return { status: LOYALTY_CODES[own], code: own };
}
