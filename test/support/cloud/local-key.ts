import { Key } from '../../../cdk/local/kms/key.ts';
import { Keys } from '../../../cdk/local/kms/keys.ts';
import { KmsService } from '../../../cdk/local/kms/kms-service.ts';
import { ACCOUNT_ID, type LocalEndpoint, REGION } from './local-endpoint.ts';

const ID = '00000000-0000-4000-8000-000000000001';

/** A key that the account's owner may use for anything; its ARN. */
export function createKey(endpoint: LocalEndpoint): string {
  const keys = new Keys(REGION, ACCOUNT_ID);
  const arn = keys.keyArn(ID);
  const owner = { AWS: `arn:aws:iam::${ACCOUNT_ID}:root` };
  const policy = {
    Version: '2012-10-17' as const,
    Statement: [{ Effect: 'Allow' as const, Principal: owner, Action: 'kms:*', Resource: '*' }],
  };
  keys.add(new Key({ id: ID, arn, enabled: true, rotationDays: null }, null, new Date()));
  endpoint.setResourcePolicy(arn, policy);
  endpoint.add(new KmsService({ keys, accountId: ACCOUNT_ID, now: () => new Date() }));
  return arn;
}
