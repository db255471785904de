/** The templates of a stage with all options that change its resources: a domain, fixed addresses, a canary and a data key. */
import { App } from 'aws-cdk-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { routeKeysIn } from '../../cdk/constructs/functions/handler-routes.ts';
import { fiveServices } from '../../cdk/five-services.ts';
import { type StageStack, stageStacks } from '../../cdk/stage-stacks.ts';
import { stacksOf } from '../support/cloud/templates-only.ts';

const ACCOUNT = '111122223333';
const DOMAIN = {
  domainName: 'api.example.com',
  certificate: `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/1234abcd-12ab-34cd-56ef-1234567890ab`,
  webAcl: `arn:aws:wafv2:us-east-1:${ACCOUNT}:global/webacl/edge/1234abcd-12ab-34cd-56ef-1234567890ab`,
};
const SECRET = '{{resolve:secretsmanager:five-services-prod-origin:SecretString}}';
const KEY = `arn:aws:kms:us-east-1:${ACCOUNT}:key/1234abcd-12ab-34cd-56ef-1234567890ab`;

let stacks: readonly StageStack[];
beforeAll(() => {
  stacks = stageStacks('prod', { ...DOMAIN, fixedEgress: 'true', canary: '10/5', dataKey: KEY });
}, 300_000);

// oxlint-disable-next-line typescript/no-explicit-any -- properties of any resource type
type Properties = Record<string, any>;

interface Declared {
  readonly id: string;
  readonly stack: StageStack;
  readonly properties: Properties;
  readonly updatePolicy: Properties | undefined;
  readonly deletionPolicy: string | undefined;
}

const all = (type: string, of: readonly StageStack[] = stacks): Declared[] =>
  of.flatMap((stack) =>
    Object.entries(stack.template.Resources)
      .filter(([, one]) => one.Type === type)
      .map(([id, one]) => {
        const { Properties: properties = {}, UpdatePolicy, DeletionPolicy } = one as Properties;
        return { id, stack, properties, updatePolicy: UpdatePolicy, deletionPolicy: DeletionPolicy };
      }),
  );
const propertiesOf = (type: string) => all(type).map(({ properties }) => properties);
const handlerOf = ({ Description }: Properties) => String(Description).split('.')[0] ?? '';
const listOf = <T>(one: T | readonly T[]): readonly T[] => (Array.isArray(one) ? one : [one as T]);
const sorted = (texts: Iterable<string>) => [...new Set(texts)].toSorted();

const outputs = (of: readonly StageStack[]): Properties =>
  Object.assign({}, ...of.map(({ template }) => (template as Properties)['Outputs']));

describe('a stage with a domain', () => {
  it('has one distribution before the API, which passes everything on and keeps nothing', () => {
    const [distribution, ...others] = propertiesOf('AWS::CloudFront::Distribution');
    expect(others).toEqual([]);
    expect(distribution?.['DistributionConfig']).toMatchObject({
      Aliases: [DOMAIN.domainName],
      HttpVersion: 'http2and3',
      WebACLId: DOMAIN.webAcl,
      ViewerCertificate: { AcmCertificateArn: DOMAIN.certificate, MinimumProtocolVersion: 'TLSv1.2_2021' },
      DefaultCacheBehavior: {
        AllowedMethods: expect.arrayContaining(['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE']),
        // As AWS lists them: CachingDisabled and AllViewerExceptHostHeader.
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
        Compress: false,
        ViewerProtocolPolicy: 'redirect-to-https',
      },
      Origins: [
        {
          CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] },
          OriginCustomHeaders: [{ HeaderName: 'x-origin-secret', HeaderValue: SECRET }],
        },
      ],
    });
    const errorResponses = distribution?.['DistributionConfig'].CustomErrorResponses;
    expect(errorResponses.map((one: Properties) => one['ErrorCode'])).toEqual(
      expect.arrayContaining([404, 405, 414, 500, 501, 502, 503, 504]),
    );
    for (const one of errorResponses) expect(one['ErrorCachingMinTTL']).toBe(0);
  });

  it('lets every function with routes, and no other, check that requests came through it', () => {
    const functions = propertiesOf('AWS::Lambda::Function').map((one) => ({
      handler: handlerOf(one),
      variables: one['Environment']?.Variables ?? {},
    }));
    const checking = functions.filter(({ variables }) => variables.ORIGIN_SECRET !== undefined);
    expect(checking.map(({ handler }) => handler).toSorted()).toEqual(
      functions
        .map(({ handler }) => handler)
        .filter((name) => name.includes('/') && routeKeysIn(`functions/${name}.handler.ts`).length > 0)
        .toSorted(),
    );
    expect(checking.length).toBeGreaterThan(40);
    for (const { variables } of checking) {
      expect(variables).toMatchObject({ ORIGIN_SECRET: SECRET, PUBLIC_DOMAIN: DOMAIN.domainName });
      // Lambda takes 4 KB of variables. Names of resources are longer than their references here only by little.
      expect(JSON.stringify(variables).length).toBeLessThan(3_800);
    }
  });

  it('names the domain in its outputs, and takes uploads from the console there', () => {
    expect(outputs(stacks)).toMatchObject({
      ApiUrl: { Value: 'https://api.example.com' },
      ConsoleUrl: { Value: 'https://api.example.com/console' },
      DomainTarget: { Value: { 'Fn::GetAtt': [expect.any(String), 'DomainName'] } },
    });
    const rules = propertiesOf('AWS::S3::Bucket').flatMap((one) => one['CorsConfiguration']?.CorsRules ?? []);
    expect(rules.map((one: Properties) => one['AllowedOrigins'])).toEqual(rules.map(() => ['https://api.example.com']));
    expect(rules.length).toBeGreaterThan(0);
  });

  it('calls the management API from the console at the gateway itself, where no firewall counts its addresses', () => {
    const [url] = propertiesOf('AWS::Lambda::Function').flatMap(
      ({ Environment }) => Environment?.Variables.API_URL ?? [],
    );
    expect(JSON.stringify(url)).toContain('execute-api');
  });

  it('exports nothing more than one without, so that the setting can be taken back', () => {
    const exported = (of: readonly StageStack[]) =>
      Object.values(outputs(of)).flatMap((one: Properties): string[] => one['Export']?.Name ?? []);
    expect(exported(stacks).toSorted()).toEqual(exported(stacksOf('prod')).toSorted());
  });
});

it.each([
  [{ domainName: 'https://api.example.com' }, 'domainName must be a host name in lower case'],
  [{ domainName: 'API.example.com' }, 'domainName must be a host name in lower case'],
  [{ domainName: 'localhost' }, 'domainName must be a host name in lower case'],
  [{ certificate: DOMAIN.certificate }, 'set domainName as well'],
  [{ webAcl: DOMAIN.webAcl }, 'set domainName as well'],
  [{ domainName: DOMAIN.domainName }, 'certificate must be the ARN'],
  [{ ...DOMAIN, certificate: DOMAIN.certificate.replace('us-east-1', 'eu-west-1') }, 'issued by ACM in us-east-1'],
  [{ ...DOMAIN, webAcl: DOMAIN.webAcl.replace('global', 'regional') }, 'with the scope CLOUDFRONT'],
])('a domain that could not be is refused: %o', (context, sentence) => {
  expect(() => stageStacks('prod', { domains: 'accounts', ...context })).toThrow(sentence);
});

const placed = () => all('AWS::Lambda::Function').filter(({ properties: { VpcConfig } }) => VpcConfig !== undefined);

describe('a stage with fixed addresses', () => {
  it('sends webhooks from them, and nothing else', () => {
    expect(
      placed()
        .map(({ properties }) => handlerOf(properties))
        .toSorted(),
    ).toEqual([
      'webhooks/configuration-tests/test-configuration',
      'webhooks/deliveries/deliver-run',
      'webhooks/deliveries/deliver-run',
    ]);
  });

  it('keeps the addresses when its stack is deleted, and prints them', () => {
    const addresses = all('AWS::EC2::EIP');
    expect(addresses.map(({ deletionPolicy }) => deletionPolicy)).toEqual([
      'RetainExceptOnCreate',
      'RetainExceptOnCreate',
    ]);
    const used = all('AWS::EC2::NatGateway').map(({ properties: { AllocationId } }) => AllocationId['Fn::GetAtt'][0]);
    expect(new Set(used)).toEqual(new Set(addresses.map(({ id }) => id)));
    const [, output] = Object.entries(outputs(stacks)).find(([name]) => name.includes('EgressAddresses')) ?? [];
    expect(output).toMatchObject({ Value: { 'Fn::Join': [',', addresses.map(({ id }) => ({ Ref: id }))] } });
  });

  it('places them where every route to the outside is such a gateway', () => {
    const outside = all('AWS::EC2::Route').filter(({ properties: { NatGatewayId } }) => NatGatewayId !== undefined);
    const tables = new Set(outside.map(({ properties: { RouteTableId } }) => RouteTableId.Ref));
    const subnets = all('AWS::EC2::SubnetRouteTableAssociation').filter(({ properties: { RouteTableId } }) =>
      tables.has(RouteTableId.Ref),
    );
    const withGateway = new Set(subnets.map(({ properties: { SubnetId } }) => SubnetId.Ref));
    expect(withGateway.size).toBe(2);
    for (const { properties } of placed()) {
      const own = properties['VpcConfig'].SubnetIds.map(({ Ref }: { Ref: string }) => Ref);
      expect(new Set(own)).toEqual(withGateway);
    }
    expect(all('AWS::EC2::SecurityGroupIngress')).toEqual([]);
  });

  it('lets Lambda make network interfaces, and not the code that calls endpoints', () => {
    const statements = all('AWS::IAM::Policy').flatMap(
      ({ properties: { PolicyDocument } }) => PolicyDocument.Statement,
    );
    const of = (effect: string): Properties[] =>
      statements.filter(
        ({ Action, Effect }) => Effect === effect && JSON.stringify(Action).includes('NetworkInterface'),
      );
    expect(of('Allow')).toHaveLength(3);
    const denied = of('Deny').map(({ Condition }) => Condition.ArnEquals['lambda:SourceFunctionArn']['Fn::GetAtt'][0]);
    expect(new Set(denied)).toEqual(new Set(placed().map(({ id }) => id)));
  });

  it('is no stage without the setting, nor on a laptop', () => {
    expect(all('AWS::EC2::VPC', stacksOf('prod'))).toEqual([]);
    const local = new App({ context: { stage: 'dev', local: true, fixedEgress: 'true' } });
    expect(() => fiveServices(local)).toThrow('fixedEgress is for deployments');
    const unclear = new App({ context: { stage: 'dev', fixedEgress: 'yes' } });
    expect(() => fiveServices(unclear)).toThrow('fixedEgress must be true or false');
  });
});

/** The function that an alias is of, as its resource. */
const functionOf = ({ stack, properties }: Declared): Properties =>
  stack.template.Resources[properties['FunctionName'].Ref]?.Properties ?? {};

const namesIn = (value: unknown) => JSON.stringify(value);

describe('a stage with a canary', () => {
  it('moves calls of what answers callers all the time and of what delivers webhooks, and of nothing else', () => {
    expect(
      all('AWS::Lambda::Alias')
        .map((alias) => handlerOf(functionOf(alias)))
        .toSorted(),
    ).toEqual([
      'conversions/convert/convert',
      'conversions/enrich/enrich',
      'conversions/normalize/normalize',
      'conversions/validate/validate',
      'images/announcements/announce-validations',
      'places/announcements/announce-check-ins',
      'places/check-ins/check-ins',
      'places/listing/list-places',
      'records/search/search-data',
      'webhooks/deliveries/deliver-run',
      'webhooks/deliveries/deliver-run',
      'webhooks/deliveries/dispatch-runs',
      'webhooks/events/receive-events',
    ]);
  });

  it('moves the share that the setting says, for as long as it says', () => {
    for (const { properties } of all('AWS::CodeDeploy::DeploymentConfig')) {
      expect(properties['TrafficRoutingConfig']).toEqual({
        Type: 'TimeBasedCanary',
        TimeBasedCanary: { CanaryPercentage: 10, CanaryInterval: 5 },
      });
    }
    const groups = new Set(all('AWS::CodeDeploy::DeploymentGroup').map(({ id }) => id));
    const moving = all('AWS::Lambda::Alias').map(
      ({ updatePolicy }) => updatePolicy?.['CodeDeployLambdaAliasUpdate'].DeploymentGroupName.Ref,
    );
    expect(new Set(moving)).toEqual(groups);
    expect(moving.length).toBe(groups.size);
  });

  it('moves them back by the errors of the new version, and by the faults of its domain', () => {
    for (const { properties, stack } of all('AWS::CodeDeploy::DeploymentGroup')) {
      expect(properties['AutoRollbackConfiguration']).toEqual({
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'],
      });
      const { Alarms, Enabled, IgnorePollAlarmFailure = false } = properties['AlarmConfiguration'];
      expect([Enabled, IgnorePollAlarmFailure, Alarms.length]).toEqual([true, false, 2]);
      const alarms = Alarms.map((one: Properties) => stack.template.Resources[one['Name'].Ref]?.Properties);
      const [errors, faults] = alarms;
      const metrics = errors.Metrics.flatMap((one: Properties) => one['MetricStat']?.Metric ?? []);
      expect(metrics.map((one: Properties) => one['MetricName'])).toEqual(['Errors', 'Invocations']);
      for (const { Dimensions } of metrics) {
        const version = Dimensions.find((one: Properties) => one['Name'] === 'ExecutedVersion').Value['Fn::GetAtt'];
        expect(stack.template.Resources[version[0]]?.Type).toBe('AWS::Lambda::Version');
        expect(version[1]).toBe('Version');
      }
      expect(faults.MetricName).toBe('Faults');
    }
  });

  it('sends routes, queues and streams to the alias, and lets them call nothing else', () => {
    const aliases = all('AWS::Lambda::Alias');
    expect(aliases.length).toBeGreaterThan(0);
    for (const alias of aliases) {
      const { id, properties } = alias;
      const { Ref: of } = properties['FunctionName'];
      const callers = [
        ...all('AWS::ApiGatewayV2::Integration').map(({ properties: one }) => one['IntegrationUri']),
        ...all('AWS::Lambda::EventSourceMapping').map(({ properties: one }) => one['FunctionName']),
        ...all('AWS::Lambda::Permission').map(({ properties: one }) => one['FunctionName']),
      ].map(namesIn);
      expect(callers.filter((one) => one.includes(`"${id}"`)).length).toBeGreaterThan(0);
      expect(callers.filter((one) => one.includes(`"${of}"`))).toEqual([]);
    }
  });

  it('lets CodeDeploy change the aliases of these functions alone', () => {
    const policies = all('AWS::IAM::Policy').filter(({ id }) => id.startsWith('CanariesRole'));
    expect(policies.length).toBe(all('AWS::CodeDeploy::Application').length);
    for (const { stack, properties } of policies) {
      const functions = Object.values(stack.template.Resources)
        .filter(({ Type }) => Type === 'AWS::Lambda::Alias')
        .map((one) => one.Properties?.['FunctionName'].Ref);
      const [shifting, looking] = properties['PolicyDocument'].Statement;
      expect(shifting.Action).toEqual([
        'lambda:GetAlias',
        'lambda:GetProvisionedConcurrencyConfig',
        'lambda:UpdateAlias',
      ]);
      expect(shifting.Resource).toHaveLength(functions.length * 2);
      for (const one of functions) expect(namesIn(shifting.Resource)).toContain(`"${one}"`);
      expect(looking).toMatchObject({ Action: 'cloudwatch:DescribeAlarms' });
      expect(looking.Resource).toHaveLength(functions.length + 1);
    }
    for (const { properties } of all('AWS::IAM::Role').filter(({ id }) => id.startsWith('CanariesRole'))) {
      expect(properties['ManagedPolicyArns']).toBeUndefined();
    }
  });

  it('leaves every stack far below the 500 resources that it may have, also with all other options', () => {
    for (const { template } of stacks) expect(Object.keys(template.Resources).length).toBeLessThanOrEqual(260);
  });
});

it.each(['10', '10/0', '0/5', '100/5', '10/61', 'ten/5', ''])('a canary of %s is refused', (canary) => {
  expect(() => stageStacks('prod', { domains: 'accounts', canary })).toThrow(
    'canary must be a percentage below 100 and at most 60 minutes, such as 10/5.',
  );
});

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
    const [secrets, topics] = [propertiesOf('AWS::SecretsManager::Secret'), propertiesOf('AWS::SNS::Topic')];
    const [queues, buckets] = [propertiesOf('AWS::SQS::Queue'), propertiesOf('AWS::S3::Bucket')];
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
    const policies = propertiesOf('AWS::IAM::Policy');
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
