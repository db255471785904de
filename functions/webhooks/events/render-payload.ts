import { isoTime } from '#shared/timestamp';
import { renderBody } from '../rules/render-body.ts';
import type { Rule } from '../rules/rule.ts';
import { customHeaders } from '../rules/rule-headers.ts';
import type { Payload } from '../runs/run.ts';
import { variablesOf, type WebhookEvent } from './event.ts';

/** An item of the table holds 400 KiB. */
export const PAYLOAD_BYTES_MAX = 380_000;

/** What a run of the rule sends for the event; undefined if it would be too large to be kept. */
export function payloadFor(
  rule: Pick<Rule, 'module' | 'headers' | 'body'>,
  event: WebhookEvent,
  { tenant, now }: { readonly tenant: string; readonly now: number },
): Payload | undefined {
  const variables = variablesOf(event, tenant);
  const text = renderBody(rule.body, variables, isoTime(now));
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
