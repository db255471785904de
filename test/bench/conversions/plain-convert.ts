/** POST /v1/convert without a meter, for comparison: the same work after one plain write to an item of the same size. */

import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { meterKey } from '../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import { ConvertItem, ConvertResult, convertItem } from '../../../functions/conversions/convert/convert.ts';
import { metered } from '../../../functions/conversions/environment.ts';
import { authenticator } from '../../../functions/conversions/serving/authenticate.ts';
import { answerTo, requestIn } from '../../../functions/conversions/serving/items.ts';
import { presentProblem } from '../../../functions/conversions/serving/problem.ts';
import { readJson } from '../../../functions/conversions/serving/read-json.ts';
import { bodyOf, problemBefore } from '../../../functions/conversions/serving/request-checks.ts';
import { UNRESTRICTED } from '../../../shared/auth/account-status.ts';
import { keySecrets } from '../../../shared/auth/key-secrets.secretsmanager.ts';
import { readEnv } from '../../../shared/env.ts';
import { httpRoutes, loggedHandler, ok } from '../../../shared/http/http-handler.ts';
import { dynamoDbClient } from '../../../shared/table/table.dynamodb.ts';

const env = readEnv(z.object(metered));
const client = dynamoDbClient({ maxAttempts: 1 });
const authenticate = authenticator(keySecrets(env.KEY_SECRETS), async () => UNRESTRICTED);
const route = { item: ConvertItem, result: ConvertResult, work: convertItem };

export const handler = httpRoutes({
  'POST /v1/convert': loggedHandler(presentProblem, async (event) => {
    const now = Date.now();
    const { tenant } = await authenticate(event.headers['authorization'], now);
    const problem = problemBefore(event);
    if (problem) throw problem;
    await client.send(
      new UpdateItemCommand({
        TableName: env.CONVERSIONS_TABLE,
        Key: marshall(meterKey(tenant)),
        UpdateExpression: 'SET tat = :now, tu = tu + :one',
        ExpressionAttributeValues: marshall({ ':now': now, ':one': 1 }),
      }),
    );
    return ok(await answerTo(route, requestIn(route, readJson(bodyOf(event))), { now, check: () => {} }));
  }),
});
