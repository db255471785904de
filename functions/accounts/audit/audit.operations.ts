import * as z from 'zod';
import { ActorView } from '#shared/audit/audit-line';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';
import { AuditQuery } from './audit-query.ts';

const AuditRecord = named(
  'AuditRecord',
  z.object({
    id: z.string(),
    time: Time,
    tenant: z.string().nullable(),
    actor: ActorView,
    action: z.string().describe('Such as `accounts.management-keys.create`.'),
    route: z.string(),
    target: z.record(z.string(), z.string()).describe('Members of the path.'),
    createdId: z.string().nullable(),
    fields: z.array(z.string()).describe('Names of the members that the request stated.'),
    values: z
      .record(z.string(), z.string())
      .describe('What it stated for those that are numbers, yes or no, a role, a plan or a status.'),
    address: z.string().describe('The address that the request came from.'),
    via: z.enum(['console', 'api']),
    requestId: z.string(),
    outcome: z
      .enum(['done', 'refused', 'failed', 'unknown'])
      .describe('`failed`: a part may have been done. `unknown`: the change may have been made or not.'),
    status: z.int().nullable().describe('The status of the answer.'),
  }),
  'A request that could change something. It has names and ids, and no text that could be secret or personal.',
);

/** Operations on the audit log. */
export const auditOperations = operations({
  listAuditRecords: {
    route: 'GET /manage/v1/audit',
    summary: 'List the records of the audit log',
    description:
      'A page may hold fewer records than `limit`, or none, and still have a `nextCursor`. Records are kept for 400 days.',
    query: AuditQuery,
    answers: { 200: pageOf('AuditRecordPage', AuditRecord) },
  },
});
