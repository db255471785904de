import * as z from 'zod';
import { Refusal } from '#shared/errors';
import { faultOf, parsed } from '#shared/http/invalid-input';
import { moreFaults } from '#shared/http/more-faults';
import { statedEvent, variablesOf, type WebhookEvent } from '../events/event.ts';
import { PAYLOAD_BYTES_MAX, payloadFor } from '../events/render-payload.ts';
import { checkTrigger } from '../rules/manage-rules.ts';
import { MODULES } from '../rules/module.ts';
import { piecesOf, type Variables } from '../rules/placeholders.ts';
import { stringValuesOf } from '../rules/render-body.ts';
import { type RuleContent, SoundPreview } from '../rules/rule-input.ts';
import { sampleEvent } from '../triggers/module-descriptions.ts';

interface Preview extends RuleContent {
  /** Members of an event; the sample of the trigger has the others. */
  readonly event?: Readonly<Record<string, unknown>> | undefined;
}

/** What a run of such a rule would post: rendered as for a run, and kept nowhere. */
export function previewRule(stated: Preview, { tenant, now }: { readonly tenant: string; readonly now: number }) {
  checkTrigger(stated);
  const event = previewedEvent(stated, now);
  const payload = payloadFor(stated, event, { tenant, now });
  if (!payload) {
    const limit = PAYLOAD_BYTES_MAX.toLocaleString('en');
    throw new Refusal(400, 'payload-too-large', `The payload would have more than ${limit} bytes: its run would fail.`);
  }
  return {
    payload: new TextDecoder().decode(payload.body),
    headers: payload.headers,
    unknown: unknownIn(stated, variablesOf(event, tenant)),
    bytes: payload.body.length,
  };
}

type EventPreview = Pick<Preview, 'module' | 'trigger' | 'event'>;

/** What a preview checks besides the schema. */
export const previewFaults = moreFaults(SoundPreview, (sound, { now }) => previewChecks(sound, now));

function previewChecks({ module, trigger, event }: Partial<EventPreview>, now: number) {
  if (!module || trigger === undefined) return [];
  const isTrigger = MODULES[module].triggers.some((known) => known === trigger);
  if (!isTrigger) return [() => checkTrigger({ module, trigger })];
  return [() => previewedEvent({ module, trigger, event }, now)];
}

function previewedEvent({ module, trigger, event }: EventPreview, now: number): WebhookEvent {
  const stated = { event: { ...sampleEvent(module, trigger), ...event } };
  const { event: data } = parsed(z.object({ event: statedEvent(() => now) }), stated);
  if (data.module === module && data.trigger === trigger) return data;
  throw faultOf('event', 'must be of the module and trigger of the rule');
}

/** Names of placeholders that stay as they are, because the event has no such value; each once. */
function unknownIn({ module, headers, body }: RuleContent, variables: Variables): readonly string[] {
  const inHeaders = module === 'consent' ? headers.map(({ value }) => value) : [];
  const pieces = [...stringValuesOf(body), ...inHeaders].flatMap(piecesOf);
  const names = pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.name]));
  return [...new Set(names.filter((name) => !Object.hasOwn(variables, name)))];
}
