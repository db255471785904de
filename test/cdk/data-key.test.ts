/** The templates of a stage whose data is under a key of the operator. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type StageStack, stageStacks } from '../../cdk/stage-stacks.ts';

const KEY = 'arn:aws:kms:us-east-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const DOMAIN = {
  domainName: 'api.example.com',
  certificate: 'arn:aws:acm:us-east-1:111122223333:certificate/1234abcd',
};

let stacks: readonly StageStack[];
beforeAll(() => {
  stacks = stageStacks('prod', { dataKey: KEY, ...DOMAIN });
}, 300_000);

// oxlint-disable-next-line typescript/no-explicit-any -- properties of any resource type
type Properties = Record<string, any>;

const all = (type: string): Properties[] =>
  stacks.flatMap(({ template }) =>
    Object.values(template.Resources)
      .filter((one) => one.Type === type)
      .map((one): Properties => one.Properties ?? {}),
  );

/** The key actions that callers of these service actions need, by service, as AWS documents them. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'sqs:SendMessage': ['sqs Decrypt', 'sqs GenerateDataKey'],
  'sqs:StartMessageMoveTask': ['sqs Decrypt', 'sqs GenerateDataKey'],
  'sqs:ReceiveMessage': ['sqs Decrypt'],
  'secretsmanager:GetSecretValue': ['secretsmanager Decrypt'],
  's3:GetObject': ['s3 Decrypt'],
  's3:AbortMultipartUpload': ['s3 Decrypt'],
  's3:ListMultipartUploadParts': ['s3 Decrypt'],
  's3:PutObject': ['s3 GenerateDataKey'],
};

const listOf = <T>(one: T | readonly T[]): readonly T[] => (Array.isArray(one) ? one : [one as T]);
const sorted = (texts: Iterable<string>) => [...new Set(texts)].toSorted();

/** The uses of the key that statements allow: the service, then the action. */
function allowed(statements: readonly Properties[]): string[] {
  return statements
    .filter(({ Resource }) => listOf(Resource).includes(KEY))
    .flatMap(({ Action, Condition }) => {
      expect(Object.keys(Condition.StringEquals)).toEqual(['kms:ViaService']);
      const service = JSON.stringify(Condition.StringEquals['kms:ViaService']).match(/(\w+)\./)?.[1] ?? '';
      return listOf<string>(Action).map((action) => `${service} ${action.replace('kms:', '')}`);
    });
}

describe('a stage with a data key', () => {
  it('has every secret, topic, queue and bucket under it, and no other key for them', () => {
    const [secrets, topics] = [all('AWS::SecretsManager::Secret'), all('AWS::SNS::Topic')];
    const [queues, buckets] = [all('AWS::SQS::Queue'), all('AWS::S3::Bucket')];
    expect([secrets.length, topics.length, buckets.length]).toEqual([4, 2, 5]);
    expect(queues.length).toBeGreaterThan(25);
    expect(sorted(secrets.map(({ KmsKeyId }) => KmsKeyId))).toEqual([KEY]);
    expect(sorted(topics.map(({ KmsMasterKeyId }) => KmsMasterKeyId))).toEqual([KEY]);
    expect(sorted(queues.map(({ KmsMasterKeyId }) => KmsMasterKeyId))).toEqual([KEY]);
    expect(queues.filter(({ SqsManagedSseEnabled }) => SqsManagedSseEnabled !== undefined)).toEqual([]);
    for (const { BucketEncryption } of buckets) {
      expect(BucketEncryption.ServerSideEncryptionConfiguration).toEqual([
        {
          BucketKeyEnabled: true,
          ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: KEY },
        },
      ]);
    }
  });

  it('lets each role use it through the services that it calls, for what it does there, and for nothing else', () => {
    const policies = all('AWS::IAM::Policy');
    const using = policies.map(({ PolicyName, PolicyDocument }) => {
      const statements: Properties[] = PolicyDocument.Statement;
      const actions = statements.flatMap(({ Action }) => listOf<string>(Action));
      const needed = sorted(actions.flatMap((action) => NEEDED[action] ?? []));
      expect([PolicyName, sorted(allowed(statements))]).toEqual([PolicyName, needed]);
      return needed;
    });
    expect(using.filter((needed) => needed.length > 0).length).toBeGreaterThan(40);
  });

  it('names the key in no other permission, such as one of functions, queues or buckets', () => {
    for (const { template } of stacks) {
      for (const { Type, Properties: properties = {} } of Object.values(template.Resources)) {
        if (!/Policy$|Role$|Permission$/.test(Type) || Type === 'AWS::IAM::Policy') continue;
        expect(JSON.stringify(properties)).not.toContain(KEY);
      }
    }
  });
});

it.each(['alias/data', KEY.replace(':kms:', ':kmz:'), KEY.replace('key/', 'alias/')])(
  'a data key that is %s is refused',
  (dataKey) => {
    expect(() => stageStacks('prod', { domains: 'accounts', dataKey })).toThrow(
      'dataKey must be the ARN of a KMS key.',
    );
  },
);
