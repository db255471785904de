import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fiveServices } from '../../cdk/five-services.ts';

const folder = mkdtempSync(join(tmpdir(), 'stacks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Synthesized {
  readonly data: Template;
  readonly service: Template;
}

/** Synthesis runs cdk-nag and the validation of CloudFormation and throws on what they find. */
function synthesize(stage: string, context: Record<string, unknown> = {}): Synthesized {
  process.env['CDK_VALIDATION'] = 'true';
  const app = new App({ context: { stage, ...context }, outdir: join(folder, stage) });
  const { data, service } = fiveServices(app);
  app.synth();
  return { data: Template.fromStack(data), service: Template.fromStack(service) };
}

let dev: Synthesized;
let prod: Synthesized;
beforeAll(() => {
  dev = synthesize('dev');
  prod = synthesize('prod');
}, 300_000);

const resources = (template: Template, type: string) =>
  Object.values(template.findResources(type)).map((found) => found as Resource);
interface Resource {
  // oxlint-disable-next-line typescript/no-explicit-any -- properties of any resource type
  readonly Properties: Record<string, any>;
  readonly DeletionPolicy?: string;
}

const Statement = z.object({
  Effect: z.string(),
  Action: z.union([z.string(), z.array(z.string())]),
  Resource: z.unknown(),
  Condition: z.unknown().optional(),
});
const Policy = z.object({ PolicyDocument: z.object({ Statement: z.array(Statement) }) });
const listOf = <T>(one: T | T[]): T[] => (Array.isArray(one) ? one : [one]);

function statements(template: Template) {
  return resources(template, 'AWS::IAM::Policy').flatMap(
    ({ Properties }) => Policy.parse(Properties).PolicyDocument.Statement,
  );
}

describe('the stacks', () => {
  it('refuse a stage that has no settings', () => {
    expect(() => synthesize('nowhere')).toThrow('There is no stage nowhere');
  });

  it('allow every function named actions only, on named resources, X-Ray aside', () => {
    const all = statements(prod.service).filter(({ Effect }) => Effect === 'Allow');
    expect(all.length).toBeGreaterThan(20);
    for (const { Action, Resource } of all) {
      for (const action of listOf(Action)) expect(action).not.toContain('*');
      const xray = listOf(Action).every((action) => action.startsWith('xray:'));
      for (const resource of listOf(Resource)) if (!xray) expect(resource).not.toBe('*');
    }
  });

  it('have every function log as its stage says, name its domain and the lines of its sources', () => {
    for (const { Properties } of resources(prod.service, 'AWS::Lambda::Function')) {
      const [domain] = String(Properties['Description']).split('/');
      expect(Properties['Environment'].Variables).toMatchObject({
        POWERTOOLS_LOG_LEVEL: 'INFO',
        POWERTOOLS_METRICS_NAMESPACE: 'FiveServices/prod',
        POWERTOOLS_SERVICE_NAME: domain,
        NODE_OPTIONS: '--enable-source-maps',
      });
      expect(Properties['LoggingConfig']).toMatchObject({ LogFormat: 'JSON', ApplicationLogLevel: 'INFO' });
    }
  });

  it('give no function the right to scan a table', () => {
    const actions = statements(prod.service).flatMap(({ Action }) => listOf(Action));
    expect(actions).toContain('dynamodb:GetItem');
    expect(actions).not.toContain('dynamodb:Scan');
  });

  it('alarm on errors and throttles of every function, with who is hurt and where to look', () => {
    const functions = resources(prod.service, 'AWS::Lambda::Function').length;
    const alarms = resources(prod.service, 'AWS::CloudWatch::Alarm').map(({ Properties }) =>
      String(Properties['AlarmDescription']),
    );
    expect(alarms.filter((text) => / errors\. .+\. Runbook: README\.md/.test(text))).toHaveLength(functions);
    expect(alarms.filter((text) => / throttles\. .+\. Runbook: README\.md/.test(text))).toHaveLength(functions);
    for (const { Properties } of resources(prod.service, 'AWS::CloudWatch::Alarm')) {
      expect(Properties['AlarmActions']).toHaveLength(1);
    }
  });

  it('let the alarms of their account publish to the topic that mails the operator', () => {
    const topics = new Set(
      resources(prod.service, 'AWS::CloudWatch::Alarm').map(({ Properties }) => Properties['AlarmActions'][0].Ref),
    );
    expect(topics.size).toBe(1);
    const [policy, ...more] = resources(prod.service, 'AWS::SNS::TopicPolicy');
    expect(more).toEqual([]);
    expect(policy?.Properties['Topics']).toEqual([...topics].map((topic) => ({ Ref: topic })));
    expect(policy?.Properties['PolicyDocument'].Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    );
  });

  it('let just those functions go round that send messages to the queue they work on', () => {
    const functions = prod.service.findResources('AWS::Lambda::Function');
    const policies = resources(prod.service, 'AWS::IAM::Policy');
    const sends = (roleId: string, queueId: string) =>
      policies
        .filter(({ Properties }) => JSON.stringify(Properties['Roles']).includes(`"${roleId}"`))
        .flatMap(({ Properties }) => Policy.parse(Properties).PolicyDocument.Statement)
        .some(
          ({ Action, Resource }) =>
            listOf(Action).includes('sqs:SendMessage') && JSON.stringify(Resource).includes(`"${queueId}"`),
        );
    const goingRound = resources(prod.service, 'AWS::Lambda::EventSourceMapping').flatMap(({ Properties }) => {
      const [queueId = ''] = Properties['EventSourceArn']['Fn::GetAtt'] ?? [];
      const functionId = Properties['FunctionName'].Ref;
      const [roleId] = functions[functionId]?.['Properties'].Role['Fn::GetAtt'] ?? [];
      return sends(roleId, queueId) ? [functionId] : [];
    });
    expect(goingRound.length).toBeGreaterThan(5);
    for (const [id, { Properties }] of Object.entries(functions)) {
      expect(Properties.RecursiveLoop, id).toBe(goingRound.includes(id) ? 'Allow' : undefined);
    }
  });

  it('trace every function and keep its JSON logs for a stated time', () => {
    for (const { Properties } of resources(prod.service, 'AWS::Lambda::Function')) {
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        TracingConfig: { Mode: 'Active' },
        LoggingConfig: { LogFormat: 'JSON' },
      });
    }
    for (const { Properties } of resources(prod.service, 'AWS::Logs::LogGroup')) {
      expect(Properties['RetentionInDays']).toBe(90);
    }
  });

  it('give every work queue an alarmed dead-letter queue, encryption, and more time than its worker has', () => {
    const queues = resources(prod.service, 'AWS::SQS::Queue').map(({ Properties }) => Properties);
    const work = queues.filter((queue) => 'RedrivePolicy' in queue);
    expect(work.length).toBeGreaterThan(5);
    for (const queue of queues) expect(queue['SqsManagedSseEnabled']).toBe(true);
    for (const { Properties } of resources(prod.service, 'AWS::Lambda::EventSourceMapping')) {
      const [queueId] = Properties['EventSourceArn']['Fn::GetAtt'] ?? [];
      if (queueId === undefined) continue;
      const queue = prod.service.findResources('AWS::SQS::Queue')[queueId];
      const worker = prod.service.findResources('AWS::Lambda::Function')[Properties['FunctionName'].Ref];
      expect(queue?.['Properties'].VisibilityTimeout).toBe(worker?.['Properties'].Timeout * 6);
    }
    const alarms = resources(prod.service, 'AWS::CloudWatch::Alarm').map(({ Properties }) =>
      String(Properties['AlarmDescription']),
    );
    expect(alarms.filter((text) => text.includes('dead-letter queue'))).toHaveLength(work.length);
  });

  it('answer for every message by itself', () => {
    const sources = resources(prod.service, 'AWS::Lambda::EventSourceMapping');
    expect(sources.length).toBeGreaterThan(0);
    for (const { Properties } of sources)
      expect(Properties['FunctionResponseTypes']).toEqual(['ReportBatchItemFailures']);
  });

  it('keep all data in prod when a stack is deleted, and let dev go', () => {
    for (const type of ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::Cognito::UserPool']) {
      for (const { DeletionPolicy } of resources(prod.data, type)) expect(DeletionPolicy).toBe('Retain');
      for (const { DeletionPolicy } of resources(dev.data, type)) expect(DeletionPolicy).toBe('Delete');
    }
  });

  it('encrypt and back up every table, on demand', () => {
    for (const { Properties } of resources(prod.data, 'AWS::DynamoDB::GlobalTable')) {
      expect(Properties).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
        Replicas: [
          { DeletionProtectionEnabled: true, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
        ],
      });
    }
  });

  it('keep every bucket from the public and from plain HTTP', () => {
    const buckets = resources(prod.data, 'AWS::S3::Bucket');
    for (const { Properties } of buckets) {
      expect(Properties).toMatchObject({
        PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
        LifecycleConfiguration: {
          Rules: expect.arrayContaining([
            { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: 'Enabled' },
          ]),
        },
        BucketEncryption: {},
      });
    }
    const denied = JSON.stringify(resources(prod.data, 'AWS::S3::BucketPolicy'));
    expect(denied.match(/"aws:SecureTransport":"false"/g)).toHaveLength(buckets.length);
  });

  it('check the token of every management route at the gateway, and log no path', () => {
    const routes = resources(prod.service, 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties);
    for (const { RouteKey, AuthorizationType } of routes) {
      expect([RouteKey, AuthorizationType]).toEqual([
        RouteKey,
        String(RouteKey).includes(' /manage/') ? 'JWT' : 'NONE',
      ]);
    }
    const format = JSON.stringify(resources(prod.service, 'AWS::ApiGatewayV2::Stage'));
    expect(format).toContain('$context.routeKey');
    expect(format).not.toMatch(/context\.path|requestPath|queryString|authorization"/i);
  });

  it('let nobody sign up, or change the tenant of a user', () => {
    const pools = JSON.stringify(resources(prod.data, 'AWS::Cognito::UserPool'));
    expect(pools).toContain('"AllowAdminCreateUserOnly":true');
    expect(pools).toContain('"Mutable":false,"Name":"tenant"');
    const clients = resources(prod.data, 'AWS::Cognito::UserPoolClient').map(({ Properties }) => Properties);
    expect(clients.map((client) => client['WriteAttributes'])).toEqual([['name']]);
  });
});

describe('webhooks', () => {
  it.each([
    ['WEBHOOK_PRIVATE_TARGETS', 'localhost:8443'],
    ['WEBHOOK_EXTRA_CA_FILE', '/tmp/ca.pem'],
  ])('are not deployed with %s, however it is set', (name, value) => {
    const refusal = `${name} is for npm start only`;
    expect(() => synthesize('prod', { [name]: value })).toThrow(refusal);
    expect(() => synthesize('dev', { [name]: value, local: 'true' })).toThrow(refusal);
    process.env[name] = value;
    try {
      expect(() => synthesize('dev')).toThrow(refusal);
    } finally {
      delete process.env[name];
    }
  });

  it('may call no private target where they are deployed', () => {
    const allowed = resources(prod.service, 'AWS::Lambda::Function').flatMap(({ Properties }) => {
      const { Variables = {} } = (Properties['Environment'] ?? {}) as { Variables?: Record<string, unknown> };
      return 'PRIVATE_TARGETS' in Variables ? [Variables['PRIVATE_TARGETS']] : [];
    });
    expect(new Set(allowed)).toEqual(new Set(['']));
  });

  it('have a key for their secrets that is kept, rotated, and used only for a named tenant and configuration', () => {
    const [key] = resources(prod.data, 'AWS::KMS::Key');
    expect(key).toMatchObject({ DeletionPolicy: 'Retain', Properties: { EnableKeyRotation: true } });
    const uses = statements(prod.service).filter(({ Action }) => listOf(Action).some((one) => one.startsWith('kms:')));
    expect(uses.length).toBeGreaterThan(0);
    for (const { Action, Condition } of uses) {
      expect(['kms:Encrypt', 'kms:Decrypt']).toContain(Action);
      expect(Condition).toEqual({
        'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': ['tenant', 'configuration'] },
        Null: { 'kms:EncryptionContext:tenant': 'false', 'kms:EncryptionContext:configuration': 'false' },
      });
    }
  });

  it('tell what they write in a stream, and are found by log and by time without their payloads', () => {
    const [table] = resources(prod.data, 'AWS::DynamoDB::GlobalTable')
      .map(({ Properties }) => Properties)
      .filter((properties) => 'StreamSpecification' in properties);
    expect(table?.['StreamSpecification']).toEqual({ StreamViewType: 'NEW_IMAGE' });
    expect(table?.['GlobalSecondaryIndexes']).toMatchObject([
      { IndexName: 'Listing' },
      {
        IndexName: 'Log',
        Projection: {
          ProjectionType: 'INCLUDE',
          NonKeyAttributes: ['outcome', 'module', 'configurationId', 'record'],
        },
      },
      { IndexName: 'Due', Projection: { ProjectionType: 'KEYS_ONLY' } },
    ]);
  });
});
