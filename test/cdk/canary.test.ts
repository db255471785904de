/** The templates of a stage in which new versions of hot functions get a share of the calls first. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type StageStack, stageStacks } from '../../cdk/stage-stacks.ts';

let stacks: readonly StageStack[];
beforeAll(() => {
  stacks = stageStacks('prod', { canary: '10/5' });
}, 300_000);

// oxlint-disable-next-line typescript/no-explicit-any -- properties of any resource type
type Properties = Record<string, any>;

interface Declared {
  readonly id: string;
  readonly stack: StageStack;
  readonly properties: Properties;
  readonly updatePolicy: Properties | undefined;
}

const all = (type: string): Declared[] =>
  stacks.flatMap((stack) =>
    Object.entries(stack.template.Resources)
      .filter(([, one]) => one.Type === type)
      .map(([id, one]) => {
        const { Properties: properties = {}, UpdatePolicy: updatePolicy } = one as Properties;
        return { id, stack, properties, updatePolicy };
      }),
  );

/** The function that an alias is of, as its resource. */
const functionOf = ({ stack, properties }: Declared): Properties =>
  stack.template.Resources[properties['FunctionName'].Ref]?.Properties ?? {};
const handlerOf = (alias: Declared): string => String(functionOf(alias)['Description']).split('.')[0] ?? '';

const namesIn = (value: unknown) => JSON.stringify(value);

describe('a stage with a canary', () => {
  it('moves calls of what answers callers all the time and of what delivers webhooks, and of nothing else', () => {
    expect(all('AWS::Lambda::Alias').map(handlerOf).toSorted()).toEqual([
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

  it('stays within half of the resources that a stack may have', () => {
    for (const { template } of stacks) expect(Object.keys(template.Resources).length).toBeLessThanOrEqual(250);
  });
});

it.each(['10', '10/0', '0/5', '100/5', '10/61', 'ten/5', ''])('a canary of %s is refused', (canary) => {
  expect(() => stageStacks('prod', { domains: 'accounts', canary })).toThrow(
    'canary must be a percentage below 100 and at most 60 minutes, such as 10/5.',
  );
});
