import * as z from 'zod';
import { AUDIT_MILLIS, type AuditEnd, type AuditLine, presentActor } from '#shared/audit/audit-line';
import { TenantId } from '#shared/auth/management-caller';
import { isoTime } from '#shared/formats/timestamp';
import { PageQuery } from '#shared/http/page';

const Time = z.iso
  .datetime({ offset: true, error: 'must be a time, such as 2026-11-25T08:00:00Z' })
  .transform((text) => Date.parse(text));

/** `GET /manage/v1/audit`. */
export const AuditQuery = PageQuery.extend({
  actor: z.string().trim().min(1).max(128).optional().describe('The id or the name of a person or key.'),
  action: z
    .string()
    .regex(/^[a-z0-9.-]{1,100}$/, 'must be an action, such as rules.create, or its beginning')
    .optional()
    .describe('An action, or how its name begins: `accounts` takes `accounts.change` and `accounts.plan.replace`.'),
  item: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('A part of an id: of what was changed, or of what was created.'),
  from: Time.optional().describe('The first moment.'),
  to: Time.optional().describe('The first moment after the last.'),
  tenant: TenantId.optional().describe('For operators: one tenant, instead of all and of what belongs to none.'),
});
export type AuditQuery = z.output<typeof AuditQuery>;

/** A line as it is stored: without an end, its function has not come to it. */
export type AuditRecord = AuditLine & Partial<AuditEnd>;

export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly item?: string | undefined;
}

export function passes({ actor, action, item }: AuditFilter, line: AuditRecord): boolean {
  return (
    (actor === undefined || isBy(line, actor)) &&
    (action === undefined || isOf(line, action)) &&
    (item === undefined || isAbout(line, item))
  );
}

/** Names are compared without their case, as the user pool takes them. */
const isBy = ({ actor: { id, name } }: AuditRecord, actor: string) =>
  id === actor || name?.toLowerCase() === actor.toLowerCase();

const isAbout = ({ target, createdId = '' }: AuditRecord, item: string) =>
  [...Object.values(target), createdId].some((id) => id.toLowerCase().includes(item.toLowerCase()));

const isOf = ({ action }: AuditRecord, asked: string) => action === asked || action.startsWith(`${asked}.`);

/** The times between which lines are read: none that is older than what is kept, however late the table deletes it. */
export function periodOf({ from, to }: Pick<AuditQuery, 'from' | 'to'>, now: number): { from: string; to: string } {
  const oldest = now - AUDIT_MILLIS;
  return { from: isoTime(Math.max(from ?? oldest, oldest)), to: isoTime(Math.max(to ?? FAR_AHEAD, 0)) };
}

/** Clocks of functions differ a little, so `now` would hide the newest lines. */
const FAR_AHEAD = Date.UTC(9999, 0, 1);

/** The line as the management API shows it. */
export const presentLine = ({ tenant, actor, ...line }: AuditRecord) => ({
  id: line.id,
  time: line.time,
  tenant: tenant === '' ? null : tenant,
  actor: presentActor(actor),
  action: line.action,
  route: line.route,
  target: line.target,
  createdId: line.createdId ?? null,
  fields: line.fields,
  values: line.values,
  address: line.address,
  via: line.isConsole ? ('console' as const) : ('api' as const),
  requestId: line.requestId,
  outcome: line.outcome ?? ('unknown' as const),
  status: line.status ?? null,
});
