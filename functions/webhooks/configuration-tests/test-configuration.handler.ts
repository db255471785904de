/** POST /manage/v1/api-configurations/{id}/test: sends one POST to the endpoint and returns the attempt. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { currentStatus } from '#shared/auth/tenant-items.dynamodb';
import { readEnv, traceId } from '#shared/env';
import { parseExactly } from '#shared/formats/exact-json';
import { apiRoutes, ok } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { configurationStore } from '../configurations/configuration-store.dynamodb.ts';
import { kmsSecrets, secretsOf } from '../configurations/secrets.kms.ts';
import { postRun } from '../deliveries/post-run.ts';
import { accountsTable, privateTargets, secretsKey, webhooksTable } from '../environment.ts';
import { httpsSender } from '../sending/sender.https.ts';
import { readPrivateTargets } from '../sending/target-policy.ts';
import { testAllowance } from './test-allowance.dynamodb.ts';
import { configurationTestOperations } from './test-configuration.operations.ts';
import { TESTS_PER_MINUTE, testConfiguration } from './test-configuration.ts';

export const Env = z.object({
  ...auditTable,
  ...accountsTable,
  ...webhooksTable,
  ...secretsKey,
  ...privateTargets,
  EXTRA_CA_FILE: z.string(),
});
const env = readEnv(Env);
const api = audited(tenantApi, env);
const table = boundTable(env.WEBHOOKS_TABLE);
const extraCa = env.EXTRA_CA_FILE && readFileSync(env.EXTRA_CA_FILE, 'utf8');
const deps = {
  configurations: configurationStore(table),
  allowance: testAllowance(table, TESTS_PER_MINUTE),
  secretsOf: secretsOf(kmsSecrets({ key: env.SECRETS_KEY })),
  statusOf: currentStatus(boundTable(env.ACCOUNTS_TABLE)),
  post: postRun(httpsSender({ ...(extraCa && { extraCa }) }), readPrivateTargets(env.PRIVATE_TARGETS)),
  now: () => Date.now(),
};
/** Accepts a request without a body. */
const parseBody = (text: string) => (text === '' ? undefined : parseExactly(text));

export const handler = apiRoutes(api, configurationTestOperations, {
  testApiConfiguration: {
    parseBody,
    answer: async ({ caller, path, body }) => {
      const key = { tenant: caller.tenant, id: path.id };
      return ok(await testConfiguration(deps, key, { ...body, idempotencyKey: randomUUID(), traceId: traceId() }));
    },
  },
});
