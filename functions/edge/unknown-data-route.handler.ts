/** ANY /v3/{proxy+}: whatever no other route below /v3 answers. */
import * as z from 'zod';
import { dataApi } from '#shared/auth/data-account';
import { dataAccounts } from '#shared/auth/data-accounts.dynamodb';
import { readEnv } from '#shared/env';
import { Refusal } from '#shared/errors';
import { httpHandler } from '#shared/http/http-handler';
import { boundTable } from '#shared/table.dynamodb';

const Env = z.object({ ACCOUNTS_TABLE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const accounts = dataAccounts(boundTable(readEnv(Env).ACCOUNTS_TABLE));

/** Every path of the interface takes GET only, so another method is the caller's mistake, whatever the path. */
export const handler = httpHandler(dataApi(accounts), {}, ({ method }) => {
  if (method !== 'GET') throw new Refusal(405, 'method-not-allowed', 'Only GET is allowed.');
  throw new Refusal(404, 'not-found', 'The requested resource was not found.');
});
