import * as z from 'zod/mini';
import { named } from '#shared/http/answer-schemas';

/** The prefix of the partition keys of a tenant's lines in the accounts table. Lines of no tenant have nothing after it. */
export const AUDIT = 'AUDIT#';
export type AuditKey = typeof AUDIT;

/** Lists of all lines, for operators: one for each shard, so that no partition of the index takes all writes. */
export const AUDITS = 'AUDITS#';
export type AuditList = typeof AUDITS;
export const AUDIT_SHARDS = 4;

/** The header in which the console states the address of the browser. */
export const CONSOLE_ADDRESS = 'x-console-address';

/** Lines are kept for 400 days. */
export const AUDIT_MILLIS = 400 * 86_400_000;

/** The person or key that makes a change. The name comes from the token or key: it is any text, and proves nothing. */
export const Actor = z.object({
  kind: z.enum(['person', 'key']),
  /** The person's `sub` in the user pool, or the id of the key. */
  id: z.string(),
  name: z.optional(z.string()),
  /** The actor may act for every tenant. */
  isOperator: z.boolean(),
});
export type Actor = z.output<typeof Actor>;

/** An actor as the management API shows it. */
export const ActorView = named(
  'Actor',
  z.object({
    kind: z.enum(['person', 'key']),
    id: z.string(),
    name: z.nullable(z.string()),
    operator: z.boolean(),
  }),
  'The person or key that makes a change.',
);

export const presentActor = ({ kind, id, name, isOperator }: Actor): z.output<typeof ActorView> => ({
  kind,
  id,
  name: name ?? null,
  operator: isOperator,
});

/** The facts about a change before it is made: names and ids, and values of fields that cannot hold a secret. */
export const AuditLine = z.object({
  id: z.string(),
  /** The tenant that the change is about; empty if it is about none. */
  tenant: z.string(),
  time: z.string(),
  actor: Actor,
  /** `rules.create`, see `actionOf`. */
  action: z.string(),
  /** The route as the table of routes names it, without values. */
  route: z.string(),
  /** Members of the path. */
  target: z.record(z.string(), z.string()),
  /** Names of the fields that the request states. */
  fields: z.array(z.string()),
  /** The values of those fields that are numbers, yes or no, words of a choice, amounts or times. */
  values: z.record(z.string(), z.string()),
  /** The address that the request came from, of the browser if it came through the console. */
  address: z.string(),
  isConsole: z.boolean(),
  requestId: z.string(),
});
export type AuditLine = z.output<typeof AuditLine>;

/** The end of a change. If a line has none, the function died in between, and the change may have been made or not. */
export const AuditEnd = z.object({
  /** `failed`: an answer of 500 or more, so a part may have been done. */
  outcome: z.enum(['done', 'refused', 'failed']),
  status: z.int(),
  /** The id of what was created. */
  createdId: z.optional(z.string()),
});
export type AuditEnd = z.output<typeof AuditEnd>;

export type NewLine = Omit<AuditLine, 'id' | 'time'>;

/** A change whose line is written. */
interface RecordedChange {
  /** Records how the change ended. It never fails: the change was made, and a line without an end says that it is unknown. */
  readonly end: (end: AuditEnd) => Promise<void>;
}

/** Writes lines of the audit log. */
export interface AuditWriter {
  /** Writes the line of a change that is about to be made. Refuses if it cannot: a change without a line must not happen. */
  readonly begin: (line: NewLine, now: number) => Promise<RecordedChange>;
}

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'replace',
  PATCH: 'change',
  DELETE: 'delete',
};

/**
 * The action of a route: its path without members, and a verb. `POST /manage/v1/accounts/{id}/management-keys` is
 * `accounts.management-keys.create`.
 */
export function actionOf(route: string): string {
  const [method = '', path = ''] = route.split(' ');
  const names = path.replace(/^\/(manage\/v1|console)\//, '').split('/');
  return [...names.filter((name) => !name.startsWith('{')), VERBS[method] ?? method.toLowerCase()].join('.');
}

export const endOf = (status: number): Pick<AuditEnd, 'outcome' | 'status'> => ({
  outcome: status < 400 ? 'done' : status < 500 ? 'refused' : 'failed',
  status,
});
