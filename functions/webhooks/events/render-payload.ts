import { isoTime } from '#shared/formats/timestamp';
import { renderRuleBody } from '../rules/render-rule-body.ts';
import type { Rule } from '../rules/rule.ts';
import { customHeaders } from '../rules/rule-headers.ts';
import type { Payload } from '../runs/run.ts';
import { variablesOf, type WebhookEvent } from './event.ts';

/** The limit of a payload: a DynamoDB item has at most 400 KiB. */
export const PAYLOAD_BYTES_MAX = 380_000;

/** Returns the payload of a run of the rule for the event; undefined if it is too large to be stored. */
export function payloadFor(
  rule: Pick<Rule, 'module' | 'headers' | 'body'>,
  event: WebhookEvent,
  { tenant, now }: { readonly tenant: string; readonly now: number },
): Payload | undefined {
  const variables = variablesOf(event, tenant);
  const text = renderRuleBody(rule.body, variables, isoTime(now));
  if (text === undefined) return undefined;
  const payload: Payload = {
    body: new TextEncoder().encode(text),
    headers: customHeaders(rule.headers, rule.module, variables),
    createdAt: now,
  };
  return bytesOf(payload) <= PAYLOAD_BYTES_MAX ? payload : undefined;
}

const bytesOf = ({ body, headers }: Payload) =>
  headers.reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value) + 10, body.length);
