/** DELETE /manage/v1/accounts/{id}/data-tokens/{tokenId}: a tenant or operator ends a downloads token. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler } from '#shared/http/http-handler';
import { managementApi, requireTenant } from '#shared/http/management-api';
import { boundTable } from '#shared/table.dynamodb';
import { DataTokenId, revokeDataToken } from './data-token.ts';
import { dataTokenStore } from './data-token-store.dynamodb.ts';

const Env = z.object({ ACCOUNTS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const tokens = dataTokenStore(boundTable(readEnv(Env).ACCOUNTS_TABLE));
const input = { path: z.object({ id: z.string(), tokenId: DataTokenId }) };

export const handler = httpHandler(managementApi, input, async ({ caller, path, now }) => {
  requireTenant(caller, path.id);
  await revokeDataToken(tokens, path.id, path.tokenId, now);
  return { statusCode: 204 };
});
