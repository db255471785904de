import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routeKeysOf } from '../../cdk/constructs/functions/handler-routes.ts';
import { fiveServices } from '../../cdk/five-services.ts';
import { DOMAIN_NAMES } from '../../cdk/settings.ts';
import type { StoredKind } from '../../shared/export/stored-kinds.ts';
import { ALL_DOMAINS, metricScope, TABLE_THROTTLES } from '../../shared/telemetry/metric-scope.ts';
import { localFunctions } from '../support/cloud/local-assembly.ts';
import { TEMPLATES_ONLY } from '../support/cloud/templates-only.ts';
import { TENANT_KINDS } from '../support/cloud/tenant-kinds.ts';
import { isThorough } from '../support/runner/thoroughness.ts';

const folder = mkdtempSync(join(tmpdir(), 'stacks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Synthesized {
  readonly data: Template;
  /** The stacks that can be torn down and built again: the edge, the domains and the gateway. */
  readonly services: readonly Template[];
  readonly isProtected: readonly boolean[];
  /** The stacks that are deployed before the gateway. */
  readonly gatewayAfter: string[];
}

/** Synthesis runs cdk-nag and the validation of CloudFormation and throws on what they find. */
function synthesize(stage: string, context: Record<string, unknown> = {}): Synthesized {
  process.env['CDK_VALIDATION'] = 'true';
  return unchecked(stage, context);
}

/** Synthesizes without those checks, for a stage that has nothing but what a checked one has. */
function variant(stage: string, context: Record<string, unknown>): Synthesized {
  process.env['CDK_VALIDATION'] = 'false';
  return unchecked(stage, context);
}

function unchecked(stage: string, context: Record<string, unknown>): Synthesized {
  const app = new App({
    context: { ...TEMPLATES_ONLY, stage, alarmsTo: 'nobody', ...context },
    outdir: join(folder, stage),
  });
  const { data, edge, domains, gateway } = fiveServices(app);
  app.synth();
  return {
    data: Template.fromStack(data),
    services: [edge, ...domains, gateway].map((stack) => Template.fromStack(stack)),
    isProtected: [data, edge, ...domains, gateway].map(({ terminationProtection }) => terminationProtection),
    gatewayAfter: gateway.dependencies.map(({ stackName }) => stackName),
  };
}

let dev: Synthesized;
/** A stage of the console alone, which is told not to ask operators for a code. */
let small: Synthesized;
let prod: Synthesized;
const LOG_KEY = 'arn:aws:kms:us-east-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const COPIES = 'arn:aws:backup:eu-west-1:444455556666:backup-vault:copies';
/** The stacks with everything that a setting adds: what the checks find in others, they find in these. */
let complete: Synthesized;
beforeAll(() => {
  dev = isThorough ? synthesize('dev') : variant('dev', {});
  small = variant('dev', { operatorsNeedCode: 'false', domains: 'accounts,console' });
  prod = variant('prod', { alarmsTo: 'ops@example.com' });
  complete = synthesize('prod', {
    alarmsTo: 'ops@example.com',
    mailFrom: 'post@example.com',
    dashboards: DOMAIN_NAMES.join(),
    logRetentionDays: '365',
    logKey: LOG_KEY,
    backupCopyTo: COPIES,
    dataKey: LOG_KEY,
    bucketLogs: 'logs-of-buckets',
    canary: '10/5',
    fixedEgress: 'true',
    domainName: 'api.example.com',
    certificate: 'arn:aws:acm:us-east-1:111122223333:certificate/1234abcd-12ab-34cd-56ef-1234567890ab',
    webAcl: 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/edge/1234abcd-12ab-34cd-56ef-1234567890ab',
  });
}, 300_000);

/** The metrics of AWS that dashboards show, as its documentation lists them. */
const AWS_METRICS: Readonly<Record<string, readonly string[]>> = {
  'AWS/Lambda': ['Invocations', 'Errors', 'Throttles', 'Duration', 'IteratorAge', 'ConcurrentExecutions'],
  'AWS/SQS': ['ApproximateAgeOfOldestMessage', 'ApproximateNumberOfMessagesVisible'],
  'AWS/DynamoDB': ['ReadThrottleEvents', 'WriteThrottleEvents', 'SuccessfulRequestLatency'],
  'AWS/States': ['ExecutionsStarted', 'ExecutionsFailed'],
};

/** The namespaces and names in the text of a dashboard, in which the names of resources are left out. */
function metricsIn(body: unknown): readonly (readonly string[])[] {
  const Body = z.object({ 'Fn::Join': z.tuple([z.literal(''), z.array(z.unknown())]) });
  const [, parts] = Body.parse(body)['Fn::Join'];
  const { widgets } = JSON.parse(parts.map((part) => (typeof part === 'string' ? part : 'a-resource')).join('')) as {
    widgets: readonly { properties: { metrics?: readonly (readonly string[])[] } }[];
  };
  return widgets.flatMap(({ properties }) => properties.metrics ?? []);
}

/** Returns the name of an alarm in its logical id, such as `Faults`. Ids of domains have the name of the domain before it. */
const kindOf = (id: string) => id.replace(/Alarm\w{8}$/, '').replace(/^(Webhooks|Conversions|Console)(?=[A-Z])/, '');

const resources = (templates: Template | readonly Template[], type: string) =>
  listOf(templates).flatMap((template) =>
    Object.values(template.findResources(type)).map((resource) => resource as Resource),
  );
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
const Keys = z.union([z.string(), z.array(z.string())]);
const LeadingKeys = z.object({ 'ForAllValues:StringLike': z.object({ 'dynamodb:LeadingKeys': Keys }) });
const Policy = z.object({ PolicyDocument: z.object({ Statement: z.array(Statement) }) });
const listOf = <T>(one: T | readonly T[]): readonly T[] => (Array.isArray(one) ? one : [one as T]);

function statements(template: Template | readonly Template[]) {
  return resources(template, 'AWS::IAM::Policy').flatMap(
    ({ Properties }) => Policy.parse(Properties).PolicyDocument.Statement,
  );
}

/** Alarms that somebody gets. Those of canaries only take a new version back. */
const alarmsOf = (template: Template) =>
  Object.entries(template.findResources('AWS::CloudWatch::Alarm')).filter(
    ([, { Properties }]) => Properties.AlarmActions !== undefined,
  );

describe('the console', () => {
  const imageOrigins = ({ services }: Synthesized) =>
    resources(services, 'AWS::Lambda::Function').flatMap(
      ({ Properties }) => Properties['Environment']?.Variables?.IMAGE_ORIGINS ?? [],
    );

  it('shows pictures of the bucket that they are in, and none where the stage has no images', () => {
    const [origin] = imageOrigins(dev);
    expect(JSON.stringify(origin)).toMatch(
      /^\{"Fn::Join":\["",\["https:\/\/",\{"Fn::ImportValue":"[^"]*Pictures[^"]*"\},"\.s3\.",\{"Ref":"AWS::Region"\},"\.amazonaws\.com"\]\]\}$/,
    );
    expect(imageOrigins(small)).toEqual(['']);
  });
});

describe('the stacks', () => {
  it('refuse a stage that has no settings', () => {
    expect(() => synthesize('nowhere')).toThrow('There is no stage nowhere');
  });

  it('allow every function named actions only, on named resources; only traces, metrics and deliveries of logs are none', () => {
    const all = statements(prod.services).filter(({ Effect }) => Effect === 'Allow');
    expect(all.length).toBeGreaterThan(20);
    for (const { Action, Resource } of all) {
      for (const action of listOf(Action)) expect(action).not.toContain('*');
      const isNameless = listOf(Action).every((action) =>
        // The delivery of logs of a state machine, too: AWS demands all of it on all.
        /^xray:|^cloudwatch:GetMetricData$|^logs:(\w+LogDeliver|\w+ResourcePolic|DescribeLogGroups$)/.test(action),
      );
      for (const resource of listOf(Resource)) if (!isNameless) expect(resource).not.toBe('*');
    }
  });

  it('let what shows the state of the system read that of the stage alone, and change nothing', () => {
    const [policy] = resources(prod.services, 'AWS::IAM::Policy').filter(({ Properties }) =>
      String(Properties['PolicyName']).startsWith('SystemRole'),
    );
    const all = Policy.parse(policy?.Properties).PolicyDocument.Statement;
    const own = all.flatMap(({ Action }) => listOf(Action)).filter((action) => !/^(logs|xray):/.test(action));
    const onNames = ['cloudformation:DescribeStacks', 'sqs:GetQueueAttributes', 'cloudwatch:DescribeAlarms'];
    expect(own.toSorted()).toEqual([...onNames, 'cloudwatch:GetMetricData'].toSorted());
    for (const { Action, Resource } of all) {
      if (!listOf(Action).some((action) => onNames.includes(action))) continue;
      for (const one of listOf(Resource)) expect(JSON.stringify(one)).toContain('five-services-prod-');
    }
  });

  it('name every queue, what it gives up and every alarm in outputs, by which operators see them', () => {
    for (const template of prod.services) {
      const values = JSON.stringify(Object.values(template.findOutputs('*')).map(({ Value }) => Value));
      for (const type of ['AWS::SQS::Queue', 'AWS::CloudWatch::Alarm']) {
        for (const id of Object.keys(template.findResources(type))) expect(values).toContain(`{"Ref":"${id}"}`);
      }
    }
  });

  it('let the watch count messages and subscribers, and read when schedules ran, and let each schedule record its own runs alone', () => {
    const [policy] = resources(prod.services, 'AWS::IAM::Policy').filter(({ Properties }) =>
      String(Properties['PolicyName']).startsWith('WatchSystemRole'),
    );
    const own = Policy.parse(policy?.Properties).PolicyDocument.Statement.flatMap(({ Action }) => listOf(Action));
    expect(own.filter((action) => !/^(logs|xray):/.test(action)).toSorted()).toEqual(
      [
        'cloudformation:DescribeStacks',
        'dynamodb:PutItem',
        'dynamodb:Query',
        'sns:GetTopicAttributes',
        'sqs:GetQueueAttributes',
      ].toSorted(),
    );
    const scheduled = resources(prod.services, 'AWS::Lambda::Function').flatMap(
      ({ Properties }) => Properties['Environment'].Variables.SCHEDULE ?? [],
    );
    const named = prod.services.flatMap((template) =>
      Object.keys(template.findOutputs('*')).filter((key) => key.startsWith('Schedule')),
    );
    expect(scheduled).toHaveLength(18);
    expect(named.map((key) => key.slice('Schedule'.length)).toSorted()).toEqual(
      scheduled.map((name: string) => String(name.split('/')[1])).toSorted(),
    );
  });

  it('make every function log at the level of its stage, and name its domain', () => {
    for (const { Properties } of resources(prod.services, 'AWS::Lambda::Function')) {
      const [domain] = String(Properties['Description']).split('/');
      expect(Properties['Environment'].Variables).toMatchObject({
        POWERTOOLS_LOG_LEVEL: 'INFO',
        POWERTOOLS_METRICS_NAMESPACE: 'FiveServices/prod',
        POWERTOOLS_SERVICE_NAME: domain,
      });
      expect(Properties['LoggingConfig']).toMatchObject({ LogFormat: 'JSON', ApplicationLogLevel: 'INFO' });
    }
  });

  it('give every function the variables that it has in a local run', async () => {
    const named = (functions: readonly { readonly Properties?: Resource['Properties'] }[]) =>
      functions
        .map(({ Properties = {} }) => [
          String(Properties['Description']),
          ...Object.keys(Properties['Environment']?.Variables ?? {}).sort(),
        ])
        .map((names) => names.join())
        .sort();
    expect(named(resources(dev.services, 'AWS::Lambda::Function'))).toEqual(named(await localFunctions()));
  });

  it('grant every access to a table by the beginnings of its keys, so that what writes rules cannot write runs', () => {
    const all = statements(prod.services).filter(({ Action }) =>
      listOf(Action).some((one) => one.startsWith('dynamodb:')),
    );
    const onItems = all.filter(
      ({ Action, Resource }) => Action !== 'dynamodb:Scan' && !JSON.stringify(Resource).includes('StreamArn'),
    );
    expect(onItems.length).toBeGreaterThan(20);
    for (const { Condition } of onItems) {
      expect(Condition).toEqual({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': expect.anything() } });
    }
    const [rules] = resources(prod.services, 'AWS::IAM::Policy').filter(({ Properties }) =>
      String(Properties['PolicyName']).startsWith('WebhooksRulesRole'),
    );
    const written = Policy.parse(rules?.Properties).PolicyDocument.Statement.filter(({ Action }) =>
      listOf(Action).some((action) => /dynamodb:(Put|Update|Delete)/.test(action)),
    );
    expect(written.length).toBeGreaterThan(0);
    expect(JSON.stringify(written)).toContain('RULE#*');
    expect(JSON.stringify(written)).not.toContain('RUN#');
  });

  it('let what manages loyalty customers read their points and write none, and what issues tokens read apps alone', () => {
    const actionsOf = (role: string) => {
      const [policy] = resources(prod.services, 'AWS::IAM::Policy').filter(({ Properties }) =>
        String(Properties['PolicyName']).startsWith(role),
      );
      return Policy.parse(policy?.Properties).PolicyDocument.Statement.flatMap(({ Action, Condition }) =>
        listOf(Action).map((action) => `${action} ${JSON.stringify(Condition)}`),
      );
    };
    const onPoints = actionsOf('AccountsCustomersRole').filter((one) => one.includes('POINTS#*'));
    expect(onPoints).toHaveLength(2);
    for (const one of onPoints) expect(one).toMatch(/^dynamodb:(Batch)?GetItem /);
    const ofTokens = actionsOf('AccountsAnonymousTokensRole').filter((one) => one.startsWith('dynamodb:'));
    expect(ofTokens).toEqual([expect.stringMatching(/^dynamodb:GetItem .*"APP#\*"/)]);
  });

  it('have at most 220 resources each, one integration for each function with routes, and protection in prod', () => {
    for (const { data, services } of [dev, prod]) {
      for (const template of [data, ...services]) {
        expect(Object.keys(template.toJSON()['Resources']).length).toBeLessThanOrEqual(220);
      }
      const targets = resources(services, 'AWS::ApiGatewayV2::Integration').map(({ Properties }) =>
        JSON.stringify(Properties['IntegrationUri']),
      );
      expect(targets.length).toBeGreaterThan(8);
      expect(new Set(targets).size).toBe(targets.length);
    }
    expect(prod.isProtected).toEqual(prod.isProtected.map(() => true));
    expect(dev.isProtected).toEqual(dev.isProtected.map(() => false));
  });

  it('call nothing late that is called every minute or hour, and repeat no call that failed', () => {
    const rules = resources(prod.services, 'AWS::Events::Rule');
    const invoked = resources(prod.services, 'AWS::Lambda::EventInvokeConfig');
    for (const [schedule, count, seconds] of [
      ['rate(1 minute)', 6, 60],
      ['cron(0 * * * ? *)', 12, 1_800],
    ] as const) {
      const late = { MaximumEventAgeInSeconds: seconds, MaximumRetryAttempts: 0 };
      const scheduled = rules.filter(({ Properties }) => Properties['ScheduleExpression'] === schedule);
      expect(scheduled).toHaveLength(count);
      for (const { Properties } of scheduled) expect(Properties['Targets']).toMatchObject([{ RetryPolicy: late }]);
      const functions = invoked.filter(({ Properties }) => Properties['MaximumEventAgeInSeconds'] === seconds);
      expect(functions).toHaveLength(count);
      for (const { Properties } of functions) expect(Properties).toMatchObject(late);
    }
    expect(invoked).toHaveLength(18);
  });

  it('keep the logs of services where they add nothing to the policy of the region', () => {
    const names = resources(prod.services, 'AWS::Logs::LogGroup').flatMap(
      ({ Properties }) => Properties['LogGroupName'] ?? [],
    );
    expect(names).toEqual(['api-access', 'validations'].map((name) => `/aws/vendedlogs/five-services-prod/${name}`));
  });

  it('keep versions of imported files, and empty the buckets of dev when they are destroyed', () => {
    const versioned = (one: Synthesized) =>
      resources(one.data, 'AWS::S3::Bucket').map(({ Properties }) => Properties['VersioningConfiguration']?.Status);
    expect(versioned(prod).filter(Boolean)).toEqual(['Enabled', 'Enabled']);
    expect(versioned(dev).filter(Boolean)).toEqual(['Enabled', 'Enabled']);
    const emptied = (one: Synthesized) => resources(one.data, 'Custom::S3AutoDeleteObjects').length;
    expect(emptied(dev)).toBe(resources(dev.data, 'AWS::S3::Bucket').length);
    expect(emptied(prod)).toBe(0);
  });

  it('keep pictures where storage is cheap once their reviews are over', () => {
    const rules = resources(prod.data, 'AWS::S3::Bucket').flatMap(
      ({ Properties }) => Properties['LifecycleConfiguration'].Rules as Record<string, unknown>[],
    );
    expect(rules.filter(({ Transitions }) => Transitions !== undefined)).toEqual([
      expect.objectContaining({
        Prefix: 'validations/',
        ExpirationInDays: 400,
        Transitions: [{ StorageClass: 'STANDARD_IA', TransitionInDays: 30 }],
      }),
    ]);
  });

  it('let only what erases accounts scan a table, its own, and delete there just the kinds of items that go', () => {
    const scanning = resources(prod.services, 'AWS::IAM::Policy').filter(({ Properties }) =>
      JSON.stringify(Properties).includes('dynamodb:Scan'),
    );
    const deleted = scanning.map(({ Properties }) => {
      const all = Policy.parse(Properties).PolicyDocument.Statement;
      const scans = all.filter(({ Action }) => listOf(Action).includes('dynamodb:Scan'));
      expect(scans.map(({ Action }) => Action)).toEqual(['dynamodb:Scan']);
      return all
        .filter(
          ({ Action, Resource }) =>
            listOf(Action).some((one) => one === 'dynamodb:DeleteItem') &&
            JSON.stringify(Resource) === JSON.stringify(scans[0]?.Resource),
        )
        .flatMap(({ Condition }) =>
          listOf(LeadingKeys.parse(Condition)['ForAllValues:StringLike']['dynamodb:LeadingKeys']),
        );
    });
    const erased = Object.values(TENANT_KINDS).map((kinds) =>
      Object.entries<StoredKind>(kinds)
        .filter(([, kind]) => 'tenant' in kind && kind.stays === undefined)
        .map(([prefix]) => (prefix.endsWith('#') ? `${prefix}*` : prefix)),
    );
    const joined = (all: readonly (readonly string[])[]) => all.map((keys) => keys.toSorted().join()).toSorted();
    expect(joined(deleted)).toEqual(joined(erased));
  });

  it('deliver no deletion to a reader of a stream: what an erasure removes is announced to nobody', () => {
    const patterns = resources(prod.services, 'AWS::Lambda::EventSourceMapping')
      .filter(({ Properties }) => Properties['StartingPosition'] !== undefined)
      .flatMap(({ Properties }) => Properties['FilterCriteria'].Filters as { Pattern: string }[])
      .map(({ Pattern }) => JSON.parse(Pattern) as { eventName?: string[]; dynamodb: Record<string, unknown> });
    expect(patterns.length).toBeGreaterThan(8);
    for (const { eventName, dynamodb } of patterns) {
      // A deletion has no new image, so a member that must be in one is enough. Nobody deletes the probe.
      const demanded = JSON.stringify(dynamodb['NewImage'] ?? {}).replaceAll(
        /"\w+":\{"S":\[\{"exists":false\}\]\}/g,
        '',
      );
      const isProbe = JSON.stringify(dynamodb['Keys'] ?? {}).includes('"PROBE"');
      const isDelivered = eventName ? eventName.includes('REMOVE') : demanded === '{}' && !isProbe;
      expect(isDelivered, JSON.stringify(dynamodb)).toBe(false);
    }
  });

  it('have few alarms, each for the operator, each with who is affected and an existing section of the runbook', () => {
    const headings = readFileSync('cdk/README.md', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('#'));
    for (const [{ services }, most] of [
      [dev, 30],
      [prod, 31],
    ] as const) {
      const alarms = resources(services, 'AWS::CloudWatch::Alarm');
      expect(alarms.length).toBeGreaterThan(8);
      expect(alarms.length).toBeLessThanOrEqual(most);
      for (const { Properties } of alarms) {
        const [, meaning, runbook] =
          /^(.+\.) Runbook: cdk\/README\.md, (.+)$/.exec(String(Properties['AlarmDescription'])) ?? [];
        expect(meaning).toBeTruthy();
        expect(headings).toContain(`### ${runbook}`);
        // Of what makes one topic mail nobody, the other one tells.
        expect(Properties['AlarmActions']).toHaveLength(runbook === 'Schedules' && meaning?.includes('mails') ? 2 : 1);
        expect(Properties['OKActions']).toEqual(Properties['AlarmActions']);
      }
    }
    const counts = [dev, prod].map(({ services }) => resources(services, 'AWS::CloudWatch::Alarm').length);
    expect(counts[0]).toBeLessThan(counts[1]!);
  });

  it('have an alarm for the errors of every worker, for every queue of dead letters, and for work that waits', () => {
    for (const template of prod.services) {
      const heard = JSON.stringify(Object.values(template.findResources('AWS::CloudWatch::Alarm')));
      // Where these fail, the API answers 5xx, which has an alarm.
      const integrated = JSON.stringify(
        ['AWS::ApiGatewayV2::Integration', 'AWS::ApiGatewayV2::Authorizer'].map((type) => template.findResources(type)),
      );
      const filters = resources(template, 'AWS::Logs::MetricFilter');
      for (const [id, { Properties }] of Object.entries(template.findResources('AWS::Lambda::Function'))) {
        if (integrated.includes(`"${id}"`)) continue;
        const group = Properties.LoggingConfig.LogGroup.Ref;
        const counted = filters.filter(({ Properties: { LogGroupName } }) => LogGroupName.Ref === group);
        const failed = '{ ($.type = "platform.report") && ($.record.status != "success") }';
        const filter = counted.find((one) => one.Properties['FilterPattern'] === failed);
        expect([id, filter === undefined]).toEqual([id, false]);
        // Of the busiest workers an alarm looks at the share of calls that fail.
        for (const one of counted)
          if (one !== filter) expect(one.Properties['FilterPattern']).toBe('{ $.type = "platform.report" }');
        const [{ MetricNamespace, MetricName }] = filter!.Properties['MetricTransformations'];
        expect(heard).toContain(`"MetricName":"${MetricName}","Namespace":"${MetricNamespace}"`);
      }
      const queues = template.findResources('AWS::SQS::Queue');
      const outputs = Object.entries(template.findOutputs('*')).filter(([key]) => /^(DeadLetters|GivenUp)/.test(key));
      const counted = JSON.stringify(outputs.map(([, { Value }]) => Value));
      for (const [id, { Properties }] of Object.entries(queues)) {
        // Tickets of runs: that a run waits is heard long before a ticket would be.
        if (/(Fast|Slow)Deliveries/.test(id)) continue;
        // The watch counts what lies in the others.
        if (!Properties.RedrivePolicy) expect(counted).toContain(`{"Ref":"${id}"}`);
        else expect(heard).toContain(`{"Name":"QueueName","Value":{"Fn::GetAtt":["${id}","QueueName"]}}`);
      }
    }
  });

  it('have an alarm for throttled tables, of the count that functions write for all domains together', () => {
    const [alarm] = prod.services.flatMap((template) =>
      alarmsOf(template).filter(([id]) => kindOf(id) === 'TableThrottles'),
    );
    const { namespace, dimensions } = metricScope('prod', ALL_DOMAINS);
    expect(alarm?.[1]['Properties']).toMatchObject({
      Namespace: namespace,
      MetricName: TABLE_THROTTLES,
      Dimensions: [{ Name: 'service', Value: dimensions.service }],
      Statistic: 'Sum',
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: 50,
    });
  });

  it('let operators into the console with a code only, and take authenticator apps, wherever they are deployed', () => {
    const needed = ({ services }: Synthesized) =>
      resources(services, 'AWS::Lambda::Function').flatMap(
        ({ Properties }) => Properties['Environment']?.Variables?.OPERATORS_NEED_CODE ?? [],
      );
    expect([needed(dev), needed(prod)]).toEqual([['true'], ['true']]);
    // No stage can be told not to ask, and a laptop has no authenticator app to set up.
    expect(needed(small)).toEqual(['true']);
    for (const { data } of [dev, prod]) {
      data.hasResourceProperties('AWS::Cognito::UserPool', {
        MfaConfiguration: 'OPTIONAL',
        EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
        // As the mail of an invitation says.
        Policies: { PasswordPolicy: { TemporaryPasswordValidityDays: 7 } },
      });
    }
  });

  it('let the alarms of their account publish to the two topics that mail the operator, and page for what hurts callers', () => {
    const policies = resources(prod.services, 'AWS::SNS::TopicPolicy');
    for (const { Properties } of policies) {
      expect(Properties['PolicyDocument'].Statement).toContainEqual(
        expect.objectContaining({
          Effect: 'Allow',
          Action: 'sns:Publish',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        }),
      );
    }
    const [edge] = prod.services;
    const topics = Object.keys(edge!.findResources('AWS::SNS::Topic'));
    expect(policies.map(({ Properties }) => Properties['Topics'])).toEqual(topics.map((Ref) => [{ Ref }]));
    const [pages = '', tickets = ''] = topics;
    const heard = (topic: string) =>
      prod.services.flatMap((template) =>
        Object.entries(template.findResources('AWS::CloudWatch::Alarm'))
          .filter(([, { Properties }]) => JSON.stringify(Properties.AlarmActions).includes(topic))
          .map(([id]) => id.replace(/Alarm\w{8}$/, '')),
      );
    expect(heard(pages)).toEqual(['ApiOutage', 'Schedules', 'Watch', 'Throttles', 'WebhooksOldestDueRun']);
    const all = resources(prod.services, 'AWS::CloudWatch::Alarm').length;
    expect(heard(tickets)).toHaveLength(all - heard(pages).length + 1);
    expect(heard(tickets)).toContain('Schedules');
  });

  it('have a row in the guide for each kind of alarm, with where it goes and its section of the runbook', () => {
    const { services } = complete;
    const [edge] = services;
    const [pages = ''] = Object.keys(edge!.findResources('AWS::SNS::Topic'));
    const kinds = new Map(
      services.flatMap((template) =>
        alarmsOf(template).map(([id, { Properties }]) => {
          const actions = JSON.stringify(Properties.AlarmActions);
          const receiver = actions.includes(pages) ? 'page' : 'ticket';
          const goesTo = Properties.AlarmActions.length > 1 ? `${receiver} and ticket` : receiver;
          const [, runbook = ''] = /cdk\/README\.md, (.+)$/.exec(Properties.AlarmDescription) ?? [];
          return [kindOf(id), `${goesTo}: ${runbook}`] as const;
        }),
      ),
    );
    const guide = readFileSync('cdk/README.md', 'utf8');
    const rows = guide.matchAll(
      /^\| (\w+) \| [^|]+ \| (page|ticket|page and ticket) \| \[([^\]]+)\]\(#([\w-]+)\): [^|]+\|$/gm,
    );
    const described = [...rows].map(([, kind = '', goesTo, runbook = '', anchor]) => {
      expect(anchor).toBe(runbook.toLowerCase().replaceAll(' ', '-'));
      return [kind, `${goesTo}: ${runbook}`] as const;
    });
    expect(described).toHaveLength(kinds.size);
    expect(Object.fromEntries(described)).toEqual(Object.fromEntries(kinds));
  });

  it('have a dashboard of a domain where a setting asks for it, of metrics that AWS and the functions write', () => {
    expect(resources(prod.services, 'AWS::CloudWatch::Dashboard')).toEqual([]);
    const sources = globSync('{functions,shared}/**/*.ts').map((file) => readFileSync(file, 'utf8'));
    const dashboards = complete.services.flatMap((template) =>
      Object.values(template.findResources('AWS::CloudWatch::Dashboard')).map((dashboard) => ({ template, dashboard })),
    );
    expect(dashboards).toHaveLength(DOMAIN_NAMES.length);
    for (const { template, dashboard } of dashboards) {
      const counted = resources(template, 'AWS::Logs::MetricFilter').map(
        ({ Properties }) => Properties['MetricTransformations'][0].MetricName as string,
      );
      const metrics = metricsIn(dashboard['Properties'].DashboardBody);
      expect(metrics.length).toBeGreaterThan(4);
      // A dashboard of more metrics is none of the three that an account has for nothing.
      expect(metrics.length).toBeLessThanOrEqual(50);
      for (const [namespace = '', name = ''] of metrics) {
        if (namespace === 'FiveServices/prod') {
          const isWritten = sources.some((source) => source.includes(`'${name}'`) || source.includes(` ${name}: {`));
          expect([name, isWritten || counted.includes(name)]).toEqual([name, true]);
        } else expect(AWS_METRICS[namespace], `${namespace} ${name}`).toContain(name);
      }
    }
  });

  it('of prod are refused until the settings say where alarms are mailed, or that they are not', () => {
    expect(() => synthesize('prod', { alarmsTo: undefined })).toThrow('State where the alarms of prod are mailed');
    expect(() => synthesize('prod', { alarmsTo: 'ops' })).toThrow('State where the alarms of prod are mailed');
    expect(resources(prod.services, 'AWS::SNS::Subscription')).toMatchObject([
      { Properties: { Protocol: 'email', Endpoint: 'ops@example.com' } },
      { Properties: { Protocol: 'email', Endpoint: 'ops@example.com' } },
    ]);
    const apart = variant('prod', { alarmsTo: 'nobody', ticketsTo: 'team@example.com', domains: 'accounts' });
    expect(resources(apart.services, 'AWS::SNS::Subscription')).toMatchObject([
      { Properties: { Endpoint: 'team@example.com' } },
    ]);
    expect(() => variant('prod', { ticketsTo: 'team' })).toThrow('ticketsTo must be an address');
    expect(resources(dev.services, 'AWS::SNS::Subscription')).toEqual([]);
  });

  it('mail before the budget of a month is spent, without a confirmation, and have no budget where nobody gets mail', () => {
    const [budget, ...others] = resources(prod.services, 'AWS::Budgets::Budget');
    expect(others).toEqual([]);
    expect(budget?.Properties).toMatchObject({
      Budget: { BudgetType: 'COST', TimeUnit: 'MONTHLY', BudgetLimit: { Amount: 500, Unit: 'USD' } },
      NotificationsWithSubscribers: [
        { Notification: { NotificationType: 'ACTUAL', Threshold: 80 } },
        { Notification: { NotificationType: 'FORECASTED', Threshold: 100 } },
      ].map((one) => ({ ...one, Subscribers: [{ SubscriptionType: 'EMAIL', Address: 'ops@example.com' }] })),
    });
    expect(resources(dev.services, 'AWS::Budgets::Budget')).toEqual([]);
  });

  it('allow loops to exactly those functions that send messages to the queue they work on', () => {
    let goingRound = 0;
    for (const template of prod.services) {
      const functions = template.findResources('AWS::Lambda::Function');
      const policies = resources(template, 'AWS::IAM::Policy');
      const sends = (roleId: string, queueId: string) =>
        policies
          .filter(({ Properties }) => JSON.stringify(Properties['Roles']).includes(`"${roleId}"`))
          .flatMap(({ Properties }) => Policy.parse(Properties).PolicyDocument.Statement)
          .some(
            ({ Action, Resource }) =>
              listOf(Action).includes('sqs:SendMessage') && JSON.stringify(Resource).includes(`"${queueId}"`),
          );
      const round = resources(template, 'AWS::Lambda::EventSourceMapping').flatMap(({ Properties }) => {
        const [queueId = ''] = Properties['EventSourceArn']['Fn::GetAtt'] ?? [];
        const functionId = Properties['FunctionName'].Ref;
        const [roleId] = functions[functionId]?.['Properties'].Role['Fn::GetAtt'] ?? [];
        return sends(roleId, queueId) ? [functionId] : [];
      });
      goingRound += round.length;
      for (const [id, { Properties }] of Object.entries(functions)) {
        expect(Properties.RecursiveLoop, id).toBe(round.includes(id) ? 'Allow' : undefined);
      }
    }
    expect(goingRound).toBeGreaterThan(5);
  });

  it('trace every function that neither a schedule calls every minute nor callers all the time, and keep its JSON logs for a stated time', () => {
    for (const template of prod.services) {
      const rules = resources(template, 'AWS::Events::Rule').map(({ Properties }) => Properties);
      const minutely = JSON.stringify(rules.filter((rule) => rule['ScheduleExpression'] === 'rate(1 minute)'));
      for (const [id, { Properties }] of Object.entries(template.findResources('AWS::Lambda::Function'))) {
        expect(Properties).toMatchObject({
          Runtime: 'nodejs24.x',
          Architectures: ['arm64'],
          LoggingConfig: { LogFormat: 'JSON' },
        });
        const isHot =
          /^(conversions\/(convert|normalize|validate|enrich)|places\/(listing|check-ins\/check-ins|announcements\/announce-check-ins)|images\/announcements\/announce-validations)/.test(
            Properties.Description,
          );
        // Of calls that end well the platform then records nothing, and of others that they failed.
        expect(Properties.LoggingConfig.SystemLogLevel, id).toBe(isHot ? 'WARN' : undefined);
        const isTraced = !isHot && !minutely.includes(`"${id}"`);
        expect(Properties.TracingConfig?.Mode, id).toBe(isTraced ? 'Active' : undefined);
      }
    }
    for (const { Properties } of resources(prod.services, 'AWS::Logs::LogGroup')) {
      expect(Properties['RetentionInDays']).toBe(90);
    }
  });

  it('give every work queue encryption, dead letters, and as much time as its worker has, six times where it holds no lease', () => {
    const queues = resources(prod.services, 'AWS::SQS::Queue').map(({ Properties }) => Properties);
    expect(queues.filter((queue) => 'RedrivePolicy' in queue).length).toBeGreaterThan(5);
    for (const queue of queues) expect(queue['SqsManagedSseEnabled']).toBe(true);
    for (const template of prod.services) {
      for (const { Properties } of resources(template, 'AWS::Lambda::EventSourceMapping')) {
        const [queueId] = Properties['EventSourceArn']['Fn::GetAtt'] ?? [];
        if (queueId === undefined) continue;
        const queue = template.findResources('AWS::SQS::Queue')[queueId];
        const worker = template.findResources('AWS::Lambda::Function')[Properties['FunctionName'].Ref];
        // Workers of the domain records, and imports of places, renew a lease on their message. In a FIFO queue, a
        // hidden message would hold up others.
        const isLeased = /^(records|places\/import)\//.test(worker?.['Properties'].Description);
        const times = isLeased || queue?.['Properties'].FifoQueue ? 1 : 6;
        expect(queue?.['Properties'].VisibilityTimeout, queueId).toBe(worker?.['Properties'].Timeout * times);
      }
    }
  });

  it('examine so many images at the same time, of one app and of all, as the settings say', () => {
    for (const [stage, all, ofApp] of [
      [prod, 100, '20'],
      [dev, 3, '2'],
    ] as const) {
      const template = stage.services.find(
        (one) => Object.keys(one.findResources('AWS::StepFunctions::StateMachine')).length > 0,
      )!;
      const [queue] = Object.entries(template.findResources('AWS::SQS::Queue')).find(([id]) =>
        /^ImagesToExamineQueue|ImagesImagesToExamineQueue/.test(id),
      )!;
      const sources = resources(template, 'AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties);
      const source = sources.find(({ EventSourceArn }) => EventSourceArn['Fn::GetAtt']?.[0] === queue)!;
      expect(source['ScalingConfig']).toEqual({ MaximumConcurrency: all });
      expect(source['BatchSize']).toBe(1);
      expect(template.findResources('AWS::SQS::Queue')[queue]?.['Properties'].FifoQueue).toBe(true);
      const functions = resources(template, 'AWS::Lambda::Function').map(({ Properties }) => Properties);
      const lanes = functions.flatMap((one) => one['Environment']?.Variables.EXAMINATIONS_PER_APP ?? []);
      expect(lanes).toEqual([ofApp]);
      // Nothing but the queue calls the function.
      const [machine] = resources(template, 'AWS::StepFunctions::StateMachine');
      expect(JSON.stringify(machine)).not.toContain('ExamineImage');
    }
  });

  it('reserve concurrency and warm tables only where a setting asks for it', () => {
    const SEARCH = 'records/search/search-data';
    const reservedIn = ({ services }: Synthesized) =>
      resources(services, 'AWS::Lambda::Function').flatMap(({ Properties }) =>
        Properties['ReservedConcurrentExecutions'] === undefined
          ? []
          : [[String(Properties['Description']).split('. ')[0], Properties['ReservedConcurrentExecutions']]],
      );
    const isWarm = ({ data }: Synthesized) => JSON.stringify(data.toJSON()).includes('WarmThroughput');
    expect([reservedIn(prod), isWarm(prod)]).toEqual([[], false]);

    const sized = variant('dev', {
      domains: 'accounts,records',
      reservedConcurrency: `${SEARCH}=50`,
      warmThroughput: 'records=24000/8000',
    });
    expect(reservedIn(sized)).toEqual([[SEARCH, 50]]);
    const tables = resources(sized.data, 'AWS::DynamoDB::GlobalTable').map(({ Properties }) => Properties);
    const warm = { ReadUnitsPerSecond: 24_000, WriteUnitsPerSecond: 8_000 };
    const [records, ...others] = tables.filter(({ WarmThroughput }) => WarmThroughput !== undefined);
    expect([records?.['WarmThroughput'], others]).toEqual([warm, []]);
    for (const index of records?.['GlobalSecondaryIndexes'] ?? []) expect(index.WarmThroughput).toEqual(warm);
  });

  it('keep logs for a year, under a key of the operator, where settings ask for it, and log failed executions', () => {
    const groupsIn = ({ services }: Synthesized) => resources(services, 'AWS::Logs::LogGroup');
    for (const { Properties } of groupsIn(prod)) {
      expect(Properties).toMatchObject({ RetentionInDays: 90 });
      expect(Properties).not.toHaveProperty('KmsKeyId');
    }
    const groups = groupsIn(complete);
    expect(groups).toHaveLength(groupsIn(prod).length);
    for (const { Properties } of groups) expect(Properties).toMatchObject({ RetentionInDays: 365, KmsKeyId: LOG_KEY });
    const [machine] = resources(prod.services, 'AWS::StepFunctions::StateMachine');
    expect(machine?.Properties['LoggingConfiguration']).toMatchObject({ Level: 'ERROR', IncludeExecutionData: false });
  });

  it('log what is done with objects to a bucket that settings name, each bucket under its own prefix', () => {
    const logged = (data: Template) =>
      resources(data, 'AWS::S3::Bucket').map(({ Properties }) => Properties['LoggingConfiguration']);
    expect(new Set(logged(prod.data))).toEqual(new Set([undefined]));
    const all = logged(complete.data);
    expect(all.length).toBeGreaterThan(3);
    expect(new Set(all.map(({ DestinationBucketName }) => DestinationBucketName))).toEqual(
      new Set(['logs-of-buckets']),
    );
    const prefixes = all.map(({ LogFilePrefix }) => LogFilePrefix);
    expect(new Set(prefixes).size).toBe(all.length);
    expect(prefixes).toContain('five-services-prod-data/Records/Imports/');
  });

  it('let nobody pass on the key of secrets, but services of AWS', () => {
    const keys = resources(complete.data, 'AWS::KMS::Key');
    expect(keys.length).toBeGreaterThan(0);
    for (const { Properties } of keys) {
      expect(Properties['KeyPolicy'].Statement).toContainEqual({
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: 'kms:CreateGrant',
        Resource: '*',
        Condition: {
          BoolIfExists: { 'kms:GrantIsForAWSResource': 'false', 'aws:PrincipalIsAWSService': 'false' },
        },
      });
    }
  });

  it('back up every table at night, and copy each backup to a vault that settings name', () => {
    expect(resources(prod.data, 'AWS::Backup::BackupPlan')).toEqual([]);
    const [plan] = resources(complete.data, 'AWS::Backup::BackupPlan');
    expect(plan?.Properties['BackupPlan'].BackupPlanRule).toEqual([
      expect.objectContaining({
        ScheduleExpression: 'cron(0 3 * * ? *)',
        Lifecycle: { DeleteAfterDays: 35 },
        CopyActions: [{ DestinationBackupVaultArn: COPIES, Lifecycle: { DeleteAfterDays: 35 } }],
      }),
    ]);
    const [selection] = resources(complete.data, 'AWS::Backup::BackupSelection');
    expect(selection?.Properties['BackupSelection'].Resources).toHaveLength(
      resources(complete.data, 'AWS::DynamoDB::GlobalTable').length,
    );
  });

  it.each([
    [{ backupCopyTo: 'copies' }, 'backupCopyTo must be the ARN of a backup vault'],
    [{ logRetentionDays: '364' }, 'logRetentionDays must be a number of days'],
    [{ logKey: 'alias/logs' }, 'logKey must be the ARN of a KMS key'],
    [{ bucketLogs: 'arn:aws:s3:::logs' }, 'bucketLogs must be the name of a bucket'],
    [{ dashboards: 'accounts,search' }, 'dashboards has search, which is no domain of the stage'],
  ])('refuse settings of logs and backups that could not be: %o', (context, sentence) => {
    expect(() => variant('dev', { domains: 'accounts', ...context })).toThrow(sentence);
  });

  it.each([
    [{ reservedConcurrency: 'records/search/nothing=5' }, 'there is no function records/search/nothing'],
    [{ reservedConcurrency: 'records/search/search-data' }, 'must be pairs NAME=VALUE'],
    [{ reservedConcurrency: 'records/search/search-data=0' }, 'must be pairs NAME=VALUE'],
    [{ reservedConcurrency: 'records/import/import-records=1' }, 'Reserve 2 or more for records/import/import-records'],
    [{ warmThroughput: 'nothing=12000/4000' }, 'there is no domain nothing'],
    [{ warmThroughput: 'records=12000' }, 'must be pairs NAME=VALUE'],
    [{ warmThroughput: 'records=100/100' }, 'AWS refuses less'],
  ])('refuse capacity that could not be: %o', (context, sentence) => {
    expect(() => variant('dev', { domains: 'accounts,records', ...context })).toThrow(sentence);
  });

  it('let every message succeed or fail by itself', () => {
    const sources = resources(prod.services, 'AWS::Lambda::EventSourceMapping');
    expect(sources.length).toBeGreaterThan(0);
    for (const { Properties } of sources)
      expect(Properties['FunctionResponseTypes']).toEqual(['ReportBatchItemFailures']);
  });

  it('keep all data in prod when a stack is deleted, and let dev go', () => {
    const policies = {
      // Protected against deletion, so that even a first deployment that fails cannot remove them again.
      'AWS::DynamoDB::GlobalTable': 'Retain',
      'AWS::Cognito::UserPool': 'Retain',
      'AWS::S3::Bucket': 'RetainExceptOnCreate',
      'AWS::KMS::Key': 'RetainExceptOnCreate',
      'AWS::SecretsManager::Secret': 'RetainExceptOnCreate',
    };
    for (const [type, policy] of Object.entries(policies)) {
      expect(resources(prod.data, type).length).toBeGreaterThan(0);
      for (const { DeletionPolicy } of resources(prod.data, type)) expect(DeletionPolicy).toBe(policy);
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

  it('identify the caller of every management route before its function, at every call, and log no path', () => {
    const routes = resources(prod.services, 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties);
    for (const { RouteKey, AuthorizationType } of routes) {
      expect([RouteKey, AuthorizationType]).toEqual([
        RouteKey,
        / \/manage\/(?!v1\/openapi\.json$)/.test(String(RouteKey)) ? 'CUSTOM' : 'NONE',
      ]);
    }
    expect(resources(prod.services, 'AWS::ApiGatewayV2::Authorizer').map(({ Properties }) => Properties)).toEqual([
      expect.objectContaining({
        AuthorizerType: 'REQUEST',
        AuthorizerPayloadFormatVersion: '2.0',
        EnableSimpleResponses: true,
        IdentitySource: [],
        AuthorizerResultTtlInSeconds: 0,
      }),
    ]);
    const format = JSON.stringify(resources(prod.services, 'AWS::ApiGatewayV2::Stage'));
    expect(format).toContain('$context.routeKey');
    expect(format).not.toMatch(/context\.path|requestPath|queryString|authorization"/i);
  });

  it('throttle sign-in, paths that do not exist and every public route by itself, and nothing that is no route', () => {
    for (const [stage, name] of [
      [dev, 'dev'],
      [prod, 'prod'],
    ] as const) {
      const keys = resources(stage.services, 'AWS::ApiGatewayV2::Route').map(({ Properties }) =>
        String(Properties['RouteKey']),
      );
      expect(routeKeysOf(DOMAIN_NAMES)).toEqual(keys.sort());
      const [{ Properties } = { Properties: {} }, ...more] = resources(stage.services, 'AWS::ApiGatewayV2::Stage');
      expect(more).toEqual([]);
      const settings: Record<string, Record<string, number>> = Properties['RouteSettings'];
      const outside =
        /^(?:POST \/console\/sign-in(?:\/next)?|POST \/oauth\/token|ANY \S+|\w+ \/(?:v3|priv|api)\/\S*|\w+ \/(?:docs\S*)?|\w+ \S*\/openapi\.json)$/;
      expect(Object.keys(settings).sort()).toEqual(keys.filter((key) => outside.test(key)));
      const { ThrottlingRateLimit: most } = Properties['DefaultRouteSettings'];
      for (const { ThrottlingRateLimit: rate = 0, ThrottlingBurstLimit: burst = 0 } of Object.values(settings)) {
        expect(rate).toBeGreaterThan(0);
        expect(rate).toBeLessThanOrEqual(most);
        expect(burst).toBeGreaterThanOrEqual(rate);
      }
      expect(stage.gatewayAfter.sort()).toEqual(
        ['edge', ...DOMAIN_NAMES].map((part) => `five-services-${name}-${part}`).sort(),
      );
    }
  });

  it('allow no user to sign up, or to change tenant', () => {
    const pools = JSON.stringify(resources(prod.data, 'AWS::Cognito::UserPool'));
    expect(pools).toContain('"AllowAdminCreateUserOnly":true');
    expect(pools).toContain('"Mutable":false,"Name":"tenant"');
    const clients = resources(prod.data, 'AWS::Cognito::UserPoolClient').map(({ Properties }) => Properties);
    expect(clients.map((client) => client['WriteAttributes'])).toEqual([['name'], ['name']]);
    // On AWS the ID token holds only what the client may read.
    const read = ['custom:tenant', 'name'];
    expect(clients.map((client) => client['ReadAttributes'])).toEqual([read, read]);
  });
});

describe('webhooks', () => {
  it.each([
    ['WEBHOOK_PRIVATE_TARGETS', 'localhost:8443'],
    ['WEBHOOK_EXTRA_CA_FILE', '/tmp/ca.pem'],
  ])('are not deployed with %s', (name, value) => {
    const refusal = `${name} is for npm start only`;
    process.env[name] = value;
    try {
      expect(() => synthesize('dev')).toThrow(refusal);
      // What the command line calls local.
      expect(() => synthesize('prod', { local: 'true' })).toThrow(refusal);
    } finally {
      delete process.env[name];
    }
  });

  it('take no parameter of a local run where they are deployed', () => {
    for (const template of [dev, prod].flatMap(({ data, services }) => [data, ...services])) {
      expect(Object.keys(template.toJSON()['Parameters'] ?? {})).toEqual(['BootstrapVersion']);
    }
  });

  it('may call no private target where they are deployed', () => {
    const allowed = resources(prod.services, 'AWS::Lambda::Function').flatMap(({ Properties }) => {
      const { Variables = {} } = (Properties['Environment'] ?? {}) as { Variables?: Record<string, unknown> };
      return 'PRIVATE_TARGETS' in Variables ? [Variables['PRIVATE_TARGETS']] : [];
    });
    expect(new Set(allowed)).toEqual(new Set(['']));
  });

  it('have a key for their secrets that is kept, rotated, and used only for a named tenant and configuration', () => {
    const [key] = resources(prod.data, 'AWS::KMS::Key');
    expect(key).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', Properties: { EnableKeyRotation: true } });
    const uses = statements(prod.services).filter(({ Action }) => listOf(Action).some((one) => one.startsWith('kms:')));
    expect(uses.length).toBeGreaterThan(0);
    for (const { Action, Condition } of uses) {
      expect(['kms:Encrypt', 'kms:Decrypt']).toContain(Action);
      expect(Condition).toEqual({
        'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': ['tenant', 'configuration'] },
        Null: { 'kms:EncryptionContext:tenant': 'false', 'kms:EncryptionContext:configuration': 'false' },
      });
    }
  });

  it('stream their changes, and have indexes by log, by time and by configuration without their payloads', () => {
    const [table] = resources(prod.data, 'AWS::DynamoDB::GlobalTable')
      .map(({ Properties }) => Properties)
      .filter(({ GlobalSecondaryIndexes: indexes }) =>
        indexes.some((one: { IndexName: string }) => one.IndexName === 'Log'),
      );
    expect(table?.['StreamSpecification']).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
    expect(table?.['GlobalSecondaryIndexes']).toMatchObject([
      { IndexName: 'Listing' },
      {
        IndexName: 'Log',
        Projection: {
          ProjectionType: 'INCLUDE',
          NonKeyAttributes: ['outcome', 'module', 'configurationId', 'record'],
        },
      },
      {
        IndexName: 'Failed',
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['module', 'configurationId', 'record'] },
      },
      { IndexName: 'Due', Projection: { ProjectionType: 'KEYS_ONLY' } },
      { IndexName: 'Parked', Projection: { ProjectionType: 'KEYS_ONLY' } },
    ]);
  });
});
