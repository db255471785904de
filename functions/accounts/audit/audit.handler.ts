/** GET /manage/v1/audit: who changed what, newest first. A tenant sees its own log, an operator that of all or of one. */
import * as z from 'zod';
import { requireTenant } from '#shared/auth/management-caller';
import { readEnv } from '#shared/env';
import { decodeCursor, encodeCursor } from '#shared/http/cursor';
import { apiRoutes, ok } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable } from '../environment.ts';
import { auditOperations } from './audit.operations.ts';
import { linesOfAll, linesOfTenant } from './audit-lists.dynamodb.ts';
import { auditPage } from './audit-pages.ts';
import { periodOf, presentLine } from './audit-query.ts';

export const Env = z.object(accountsTable);
const table = boundTable(readEnv(Env).ACCOUNTS_TABLE);

export const handler = apiRoutes(managementApi, auditOperations, {
  listAuditRecords: async ({ caller, query, now }) => {
    if (query.tenant !== undefined) requireTenant(caller, query.tenant);
    const tenant = query.tenant ?? (caller.operator ? undefined : caller.tenant);
    const { from, to } = periodOf(query, now);
    const name = `audit ${tenant ?? '*'}`;
    const { position = to } = decodeCursor(name, query.cursor, ['position']) ?? {};
    const lists = tenant === undefined ? linesOfAll(table, from) : linesOfTenant(table, tenant, from);
    const { lines, reached } = await auditPage(lists, query, {
      before: position < to ? position : to,
      limit: query.limit,
    });
    const nextCursor = reached === undefined ? undefined : encodeCursor(name, { position: reached });
    return ok({ items: lines.map(({ line }) => presentLine(line)), ...(nextCursor && { nextCursor }) });
  },
});
