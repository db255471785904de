import * as z from 'zod';
import { Refusal } from '#shared/errors';
import { faultOf, parsed } from '#shared/http/invalid-input';
import { moreFaults } from '#shared/http/more-faults';
import { eventIn, NewEvent, variablesOf, type WebhookEvent } from '../events/event.ts';
import { PAYLOAD_BYTES_MAX, payloadFor } from '../events/render-payload.ts';
import { MODULES } from '../modules/module.ts';
import { checkTrigger } from '../rules/manage-rules.ts';
import { piecesOf, type Variables } from '../rules/placeholders.ts';
import { stringValuesOf } from '../rules/render-rule-body.ts';
import { type RuleContent, SoundPreview } from '../rules/rule-input.ts';
import { sampleEvent } from '../triggers/module-descriptions.ts';

interface Preview extends RuleContent {
  /** Members of an event; missing ones come from the sample of the trigger. */
  readonly event?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns what a run of the rule would post, rendered as for a run. Nothing is stored. */
export function previewRule(preview: Preview, { tenant, now }: { readonly tenant: string; readonly now: number }) {
  checkTrigger(preview);
  const event = previewedEvent(preview, now);
  const payload = payloadFor(preview, event, { tenant, now });
  if (!payload) {
    const limit = PAYLOAD_BYTES_MAX.toLocaleString('en');
    throw new Refusal(
      400,
      'payload-too-large',
      `The payload would have more than ${limit} bytes, so its run would fail.`,
    );
  }
  return {
    payload: new TextDecoder().decode(payload.body),
    headers: payload.headers,
    unknown: unknownIn(preview, variablesOf(event, tenant)),
    bytes: payload.body.length,
  };
}

type EventPreview = Pick<Preview, 'module' | 'trigger' | 'event'>;

/** The checks of a preview beyond the schema. */
export const previewFaults = moreFaults(SoundPreview, (sound, { now }) => previewChecks(sound, now));

function previewChecks({ module, trigger, event }: Partial<EventPreview>, now: number) {
  if (!module || trigger === undefined) return [];
  const isTrigger = MODULES[module].triggers.some((candidate) => candidate === trigger);
  if (!isTrigger) return [() => checkTrigger({ module, trigger })];
  return [() => previewedEvent({ module, trigger, event }, now)];
}

function previewedEvent({ module, trigger, event }: EventPreview, now: number): WebhookEvent {
  const input = { event: { ...sampleEvent(module, trigger), ...event } };
  const data = eventIn(parsed(z.object({ event: NewEvent }), input).event, now);
  if (data.module === module && data.trigger === trigger) return data;
  throw faultOf('event', 'must have the module and trigger of the rule');
}

/** Returns the distinct names of placeholders that stay unchanged, because the event has no such value. */
function unknownIn({ module, headers, body }: RuleContent, variables: Variables): readonly string[] {
  const inHeaders = module === 'consent' ? headers.map(({ value }) => value) : [];
  const pieces = [...stringValuesOf(body), ...inHeaders].flatMap(piecesOf);
  const names = pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.name]));
  return [...new Set(names.filter((name) => !Object.hasOwn(variables, name)))];
}
