import type { Context } from 'aws-lambda';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Refusal } from '../../../shared/errors.ts';
import { type HttpEvent, httpHandler, ok } from '../../../shared/http/http-handler.ts';
import {
  LOYALTY_CODES,
  type LoyaltyCode,
  loyaltyError,
  presentLoyaltyError,
} from '../../../shared/loyalty/loyalty-error.ts';
import { loggedLines } from '../../support/runner/logged-lines.ts';

const lines = loggedLines();
afterEach(() => void lines());

/** As specification and notes state it. */
const STATUS: Readonly<Record<LoyaltyCode, number>> = {
  internal_server_error: 500,
  https_only: 401,
  invalid_auth_token: 401,
  invalid_api_key: 401,
  access_denied: 401,
  account_suspended: 403,
  user_not_found: 404,
  not_found: 404,
  requires_registered_user: 200,
  missing_data: 200,
  validation: 200,
  not_available: 200,
  argument_error: 200,
  check_in_limit_reached: 200,
  check_in_too_far_away: 200,
  check_in_not_available: 200,
  campaign_unavailable: 200,
  image_not_found: 200,
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
};
const ROWS = Object.entries(STATUS) as [LoyaltyCode, number][];

const event = (body?: string) =>
  ({
    routeKey: 'POST /priv/v1/apps/{api_key}/x',
    rawQueryString: '',
    headers: {},
    body,
    isBase64Encoded: false,
    requestContext: { requestId: 'r-1', http: { method: 'POST' } },
  }) as unknown as HttpEvent;
const anyone = { identify: () => undefined, present: presentLoyaltyError };
const answered = (thrown: unknown) =>
  httpHandler(anyone, {}, () => {
    throw thrown;
  })(event(), { awsRequestId: 'i-1' } as Context);

describe('an error of the loyalty interfaces', () => {
  it('has one of the codes of the specification, and no other', () => {
    expect(Object.keys(LOYALTY_CODES).toSorted()).toEqual(Object.keys(STATUS).toSorted());
  });

  it.each(ROWS)('%s answers %d, with one object of code and message', async (code, status) => {
    const { statusCode, headers, body } = await answered(loyaltyError(code, 'In words.'));
    expect(statusCode).toBe(status);
    expect(headers?.['content-type']).toBe('application/json');
    expect(JSON.parse(body ?? '')).toEqual({ status: 'error', errors: { code, message: 'In words.' } });
  });

  it.each(ROWS)('%s mentions HTTP Basic only if it is a 401', async (code, status) => {
    const { headers = {} } = await answered(loyaltyError(code, 'In words.'));
    const challenge = 'Basic realm="loyalty", charset="UTF-8"';
    expect(headers['www-authenticate']).toBe(status === 401 ? challenge : undefined);
  });

  it('access_denied answers 200 if a setting forbids an authorised call', async () => {
    const { statusCode, headers = {}, body } = await answered(loyaltyError('access_denied', 'Off.', { status: 200 }));
    expect([statusCode, JSON.parse(body ?? '').errors.code]).toEqual([200, 'access_denied']);
    expect(headers).not.toHaveProperty('www-authenticate');
  });

  it('does not contain the cause, which is for the log', async () => {
    const cause = new Error('a detail of ours');
    const { body } = await answered(loyaltyError('validation', 'In words.', { cause }));
    expect(body).not.toContain('a detail of ours');
  });

  it('that is a fault of the service is a 500 with a fixed text', async () => {
    const { statusCode, body } = await answered(new Error('a detail of ours'));
    expect(statusCode).toBe(500);
    expect(JSON.parse(body ?? '')).toEqual({
      status: 'error',
      errors: { code: 'internal_server_error', message: 'An unexpected error occurred.' },
    });
  });

  it('of input that no schema takes, or that is no JSON, is an argument_error', async () => {
    const handler = httpHandler(anyone, { body: z.object({ n: z.number() }) }, () => ok({}));
    for (const [body, message] of [
      ['{"n":"x"}', 'n must be a number'],
      ['{', 'not valid JSON'],
      [undefined, 'not valid JSON'],
    ] as const) {
      const answer = await handler(event(body), { awsRequestId: 'i-1' } as Context);
      const { status, errors } = JSON.parse(answer.body ?? '');
      expect([answer.statusCode, status, errors.code]).toEqual([200, 'error', 'argument_error']);
      expect(errors.message).toContain(message);
    }
  });

  it('never shows the code of another interface', async () => {
    for (const [refusal, code, status] of [
      [new Refusal(503, 'unavailable', 'Later.'), 'internal_server_error', 500],
      [new Refusal(409, 'toString', 'Taken.'), 'argument_error', 200],
      [new Refusal(400, '__proto__', 'No.'), 'argument_error', 200],
    ] as const) {
      const answer = await answered(refusal);
      expect([answer.statusCode, JSON.parse(answer.body ?? '').errors.code]).toEqual([status, code]);
    }
  });
});
