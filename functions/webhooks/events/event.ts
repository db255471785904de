import * as z from 'zod';
import { isoTime } from '#shared/formats/timestamp';
import { faultOf, whenSound } from '#shared/http/invalid-input';
import { moreFaults } from '#shared/http/more-faults';
import { BUILT_IN_MODULES, isBuiltInModule, MODULES, type ModuleId, sourcesOf } from '../modules/module.ts';
import { ModuleInput } from '../modules/module-input.ts';
import type { Variables } from '../rules/placeholders.ts';
import { isDeeper } from '../rules/read-rule-body.ts';
import { RECORD_ID_CHARACTERS_MAX } from '../subject-requests/subject-request.ts';
import { declaredNames } from '../triggers/module-descriptions.ts';

/** Something that happened in a module of a tenant, as its sender describes it. */
export interface WebhookEvent {
  /** The sender chooses the id; the same id twice makes no second run. */
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

/** The values that payloads use by name, limited in size and depth. */
const Data = z
  .record(z.string(), z.unknown())
  .refine((data) => !isDeeper(data, LEVELS_MAX), `must have at most ${LEVELS_MAX} levels`)
  .refine((data) => fits(JSON.stringify(data)), `must be Unicode text of at most ${DATA_BYTES_MAX / 1024} KiB`);
const fits = (text: string) => Buffer.byteLength(text) <= DATA_BYTES_MAX && !LONE_SURROGATE.test(text);
/** A lone surrogate, as JSON escapes it. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F][0-9a-fA-F]{2}/;

/** The members of an event from which a forgery is recognised. */
const SoundEvent = z.object({ id: line(200), module: ModuleInput }).partial();

/** The checks of an event from outside beyond the schema. */
export const eventFaults = moreFaults(SoundEvent, ({ id = '', module }) =>
  module === undefined ? [] : [() => refuseForgery({ id, module })],
);

/** The body of `POST events`, and the detail of `webhook.trigger` on the event bus. */
export const NewEvent = z
  .strictObject({
    id: line(200),
    module: ModuleInput,
    trigger: line(100),
    recordType: line(100),
    recordId: line(RECORD_ID_CHARACTERS_MAX),
    data: Data.default({}),
    time: z.iso.datetime({ offset: true }).optional(),
  })
  .superRefine(
    ({ module, trigger }, context) => {
      const triggers: readonly string[] = MODULES[module].triggers;
      if (triggers.includes(trigger)) return;
      context.addIssue({ code: 'custom', path: ['trigger'], message: `must be one of ${triggers.join(', ')}` });
    },
    { when: whenSound('module', 'trigger') },
  )
  .meta({ id: 'NewEvent' });
type NewEvent = z.output<typeof NewEvent>;

/** The event that was announced. An event that states no time happened now. */
export const eventIn = ({ time, ...event }: NewEvent, now: number): WebhookEvent => ({
  ...event,
  time: time ?? isoTime(now),
});

/**
 * Refuses an event that only the service itself may announce: receivers trust such events, and a forged id would
 * suppress the genuine event. Ids of the service's own events begin with their module.
 * @param source the source of an event on the bus; the service's own events name their domain
 */
export function refuseForgery({ id, module }: Pick<WebhookEvent, 'id' | 'module'>, source?: string): void {
  if (isBuiltInModule(module)) {
    if (source === undefined || !sourcesOf(module).includes(source)) {
      throw faultOf('module', `Only the service itself announces events of ${module}.`, {
        status: 403,
        code: 'module-reserved',
      });
    }
    return;
  }
  const reserved = BUILT_IN_MODULES.map((own) => `${own}-`).find((prefix) => id.startsWith(prefix));
  if (reserved) {
    const alone = { status: 403, code: 'id-reserved' };
    throw faultOf('id', `The ids of the service's own events begin with ${reserved}.`, alone);
  }
}

/**
 * The values of an event by the names that a rule may use. A variable that the trigger declares and the event lacks is
 * null. Data cannot override the names of the service itself.
 */
export const variablesOf = (event: WebhookEvent, tenant: string): Variables => ({
  ...Object.fromEntries(declaredNames(event.module, event.trigger).map((name) => [name, null])),
  createdAt: event.time,
  updatedAt: event.time,
  ...Object.fromEntries(Object.entries(event.data).map(([name, value]) => [name, withIsoTime(name, value)])),
  requestId: event.recordId,
  tenantId: tenant,
});

/** Timestamps have names such as `createdAt` and `fulfilledAt`. */
const TIMESTAMP = /At$/;
/** Seconds since 1970 have ten digits and milliseconds thirteen, from 2001 to 2286. */
const SECONDS = /^[1-9]\d{9}$/;
const MILLISECONDS = /^[1-9]\d{12}$/;

/** Converts a timestamp in seconds or milliseconds to ISO 8601 text; returns any other value unchanged. */
function withIsoTime(name: string, value: unknown): unknown {
  if (!TIMESTAMP.test(name)) return value;
  const digits = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  if (SECONDS.test(digits)) return isoTime(Number(digits) * 1000);
  return MILLISECONDS.test(digits) ? isoTime(Number(digits)) : value;
}
