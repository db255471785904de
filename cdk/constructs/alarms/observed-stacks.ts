import { Stack, Validations } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Binding } from '../functions/bindings.ts';

/**
 * The names of the stacks of one stage, reading their outputs, and the state of the queues and alarms that are theirs.
 * Those have names that begin as their stacks do. Metrics are no resources: a role that may read one may read all.
 */
export const observes = (scope: Construct, stacks: readonly string[]): Binding => ({
  value: stacks.join(),
  grantTo: (grantee) => {
    const { partition, region, account } = Stack.of(scope);
    const beginning = stacks[0]?.slice(0, stacks[0].lastIndexOf('-') + 1);
    const grants = [
      ...stacks.map((name) => ({ action: 'cloudformation:DescribeStacks', name: `stack/${name}/*` })),
      { action: 'sqs:GetQueueAttributes', name: `${beginning}*` },
      { action: 'cloudwatch:DescribeAlarms', name: `alarm:${beginning}*` },
    ];
    for (const { action, name } of grants) {
      const [service = ''] = action.split(':');
      const resourceArns = [`arn:${partition}:${service}:${region}:${account}:${name}`];
      Grant.addToPrincipal({ grantee, actions: [action], resourceArns });
      if (!Construct.isConstruct(grantee.grantPrincipal)) continue;
      Validations.of(grantee.grantPrincipal).acknowledge({
        id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:${service}:<AWS::Region>:<AWS::AccountId>:${name}]`,
        reason: 'Reads alone. CloudFormation ends names and ARNs with an id that is not known before.',
      });
    }
    Grant.addToPrincipal({ grantee, actions: ['cloudwatch:GetMetricData'], resourceArns: ['*'] });
  },
});
