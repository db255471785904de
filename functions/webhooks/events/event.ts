import * as z from 'zod';
import { isoTime } from '#shared/timestamp';
import { isDeeper } from '../rules/body.ts';
import { MODULES, type ModuleId, moduleIn } from '../rules/module.ts';
import type { Variables } from '../rules/placeholders.ts';

/** Something that happened in a module, as whoever announces it states it. */
export interface WebhookEvent {
  /** The announcer's own; the same one twice makes no second run. */
  readonly id: string;
  readonly module: ModuleId;
  readonly trigger: string;
  readonly recordType: string;
  readonly recordId: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly time: string;
}

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => text.isWellFormed(), 'must be Unicode text');

const DATA_BYTES_MAX = 512 * 1024;
const LEVELS_MAX = 100;

/** What goes into payloads by name: at most as large and as deep as they can be. */
const Data = z
  .record(z.string(), z.unknown())
  .refine((data) => !isDeeper(data, LEVELS_MAX), `must have at most ${LEVELS_MAX} levels`)
  .refine((data) => fits(JSON.stringify(data)), `must be Unicode text of at most ${DATA_BYTES_MAX / 1024} KiB`);
const fits = (text: string) => Buffer.byteLength(text) <= DATA_BYTES_MAX && !LONE_SURROGATE.test(text);
/** As JSON writes half a character. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F][0-9a-fA-F]{2}/;

/** The body of `POST events`, and the detail of `webhook.trigger` on the event bus. @param now for events without a time. */
export const statedEvent = (now: () => number) =>
  z
    .strictObject({
      id: line(200),
      module: z.string().transform((text, context) => {
        const found = moduleIn(text);
        if (found) return found;
        context.addIssue({ code: 'custom', message: `must be one of ${Object.keys(MODULES).join(', ')}` });
        return z.NEVER;
      }),
      trigger: line(100),
      recordType: line(100),
      recordId: line(200),
      data: Data.default({}),
      time: z.iso.datetime({ offset: true }).optional(),
    })
    .superRefine(({ module, trigger }, context) => {
      const triggers: readonly string[] = MODULES[module].triggers;
      if (triggers.includes(trigger)) return;
      context.addIssue({ code: 'custom', path: ['trigger'], message: `must be one of ${triggers.join(', ')}` });
    })
    .transform(({ time, ...event }): WebhookEvent => ({ ...event, time: time ?? isoTime(now()) }));

/** By these names a rule may use what the event says. The names of the service itself cannot be taken by the data. */
export const variablesOf = (event: WebhookEvent, tenant: string): Variables => ({
  createdAt: event.time,
  updatedAt: event.time,
  ...event.data,
  requestId: event.recordId,
  tenantId: tenant,
});
