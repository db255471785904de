import { Stack, Validations } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Binding } from '../functions/bindings.ts';

/** A call by which a function reads the state of the stacks of its stage. */
type Observation =
  | 'cloudformation:DescribeStacks'
  | 'sqs:GetQueueAttributes'
  | 'cloudwatch:DescribeAlarms'
  | 'cloudwatch:GetMetricData';

/**
 * The names of the stacks of one stage, and reading this of them. Queues and alarms have names that begin as their stacks do.
 * Metrics are no resources: a role that may read one may read all.
 */
export const observes = (
  scope: Construct,
  stacks: readonly string[],
  ...observations: readonly Observation[]
): Binding => ({
  value: stacks.join(),
  grantTo: (grantee) => {
    const { partition, region, account } = Stack.of(scope);
    const beginning = stacks[0]?.slice(0, stacks[0].lastIndexOf('-') + 1);
    const names: Readonly<Record<Observation, readonly string[]>> = {
      'cloudformation:DescribeStacks': stacks.map((name) => `stack/${name}/*`),
      'sqs:GetQueueAttributes': [`${beginning}*`],
      'cloudwatch:DescribeAlarms': [`alarm:${beginning}*`],
      'cloudwatch:GetMetricData': [],
    };
    for (const action of observations) {
      if (names[action].length === 0) Grant.addToPrincipal({ grantee, actions: [action], resourceArns: ['*'] });
      for (const name of names[action]) {
        const [service = ''] = action.split(':');
        const resourceArns = [`arn:${partition}:${service}:${region}:${account}:${name}`];
        Grant.addToPrincipal({ grantee, actions: [action], resourceArns });
        if (!Construct.isConstruct(grantee.grantPrincipal)) continue;
        Validations.of(grantee.grantPrincipal).acknowledge({
          id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:${service}:<AWS::Region>:<AWS::AccountId>:${name}]`,
          reason: 'Reads alone. CloudFormation ends names and ARNs with an id that is not known before.',
        });
      }
    }
  },
});
