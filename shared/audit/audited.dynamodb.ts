import { isIP } from 'node:net';
import { type ManagementCaller, managementCallerOf, type TenantCaller, TenantId } from '#shared/auth/management-caller';
import { resource } from '#shared/env';
import type { RecordEnd, RequestedChange } from '#shared/http/change-record';
import type { HttpEvent, HttpResult, Surface } from '#shared/http/http-handler';
import { answerStore } from '#shared/idempotency/answer-store.dynamodb';
import { answeredOnce } from '#shared/idempotency/answered-once';
import { boundTable } from '#shared/table/table.dynamodb';
import { actorOf } from './actor.ts';
import { type AuditWriter, actionOf, CONSOLE_ADDRESS, endOf, type NewLine } from './audit-line.ts';
import { boundAuditWriter } from './audit-writer.dynamodb.ts';

/** The accounts table, as far as the function may write lines of the audit log and answers that may be repeated. */
export const auditTable = { AUDIT_TABLE: resource };

/**
 * The same interface for handlers that change something: every such request has its line in the audit log before the
 * handler answers, and the outcome after that; and a POST with an `Idempotency-Key` is answered once.
 */
export const audited = <Caller extends ManagementCaller | TenantCaller>(
  surface: Surface<Caller>,
  { AUDIT_TABLE }: { readonly AUDIT_TABLE: string },
): Surface<Caller> => ({
  ...recordedBy(surface, boundAuditWriter(AUDIT_TABLE)),
  once: answeredOnce(answerStore(boundTable(AUDIT_TABLE), ANSWER_MILLIS)),
});

/** The time that one call for a stored answer may take. */
const ANSWER_MILLIS = 5_000;

/** @see audited */
export const recordedBy = <Caller extends ManagementCaller | TenantCaller>(
  surface: Surface<Caller>,
  writer: AuditWriter,
): Surface<Caller> => ({
  ...surface,
  async record(change): Promise<RecordEnd> {
    const recorded = await writer.begin(lineOf(change), change.now);
    return (status, result) => recorded.end({ ...endOf(status), createdId: createdIdIn(status, result) });
  },
});

const MEMBER_CHARACTERS_MAX = 200;
const FIELDS_MAX = 100;

function lineOf({ event, caller, fields, values }: RequestedChange<ManagementCaller | TenantCaller>): NewLine {
  const manager = managementCallerOf(event);
  const target = Object.entries(event.pathParameters ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value.slice(0, MEMBER_CHARACTERS_MAX)]],
  );
  return {
    tenant: tenantOf(caller, manager, event),
    actor: actorOf(manager),
    action: actionOf(event.routeKey),
    route: event.routeKey,
    target: Object.fromEntries(target),
    fields: fields.slice(0, FIELDS_MAX),
    values: Object.fromEntries(
      Object.entries(values)
        .slice(0, FIELDS_MAX)
        .map(([name, value]) => [name, value.slice(0, MEMBER_CHARACTERS_MAX)]),
    ),
    ...originOf(event, manager),
    requestId: event.requestContext.requestId,
  };
}

/**
 * The tenant whose log shows the change: the one that the request is about. A caller of one tenant writes to its own log
 * only, whatever the path says.
 */
function tenantOf(
  caller: ManagementCaller | TenantCaller,
  { operator, tenant }: ManagementCaller,
  event: HttpEvent,
): string {
  if ('named' in caller) return caller.tenant;
  if (!operator) return tenant;
  const id = event.routeKey.includes(' /manage/v1/accounts/{id}') ? event.pathParameters?.['id'] : undefined;
  return TenantId.safeParse(id).data ?? '';
}

/**
 * Tokens of the console's client never leave the console, so a request with one comes from there, and only then is the
 * header believed.
 */
function originOf(event: HttpEvent, { isConsole = false }: ManagementCaller): Pick<NewLine, 'address' | 'isConsole'> {
  const { sourceIp } = event.requestContext.http;
  const ofBrowser = isConsole ? (event.headers[CONSOLE_ADDRESS] ?? '') : '';
  return { address: isIP(ofBrowser) === 0 ? sourceIp : ofBrowser, isConsole };
}

const IDS = ['id', 'clientId', 'permalink'] as const;

/** The id in an answer to a POST. The rest of the answer is not read, because it may contain a secret. */
function createdIdIn(status: number, result: HttpResult | undefined): string | undefined {
  if (status !== 201 || result?.body === undefined) return undefined;
  const body = JSON.parse(result.body) as Partial<Record<string, unknown>>;
  const id = IDS.map((name) => body[name]).find((value) => typeof value === 'string' || typeof value === 'number');
  return id === undefined ? undefined : String(id).slice(0, MEMBER_CHARACTERS_MAX);
}
