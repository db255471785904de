/** CloudFormation behind the AWS endpoint: commands find the outputs of a stack as they do on AWS. */
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { QueryService } from '../endpoint/query-service.ts';
import type { DeployedResource, DeployedStack } from './deploy.ts';

export class CloudFormationService extends QueryService {
  constructor(stacks: readonly DeployedStack[], startedAt: Date) {
    const time = startedAt.toISOString();
    const find = (name: string | null) => stacks.find((stack) => stack.name === name || stack.id === name);
    const stackNamed = (name: string | null) => {
      const stack = find(name);
      if (stack) return stack;
      throw new CallRefusal(400, 'ValidationError', `Stack with id ${name} does not exist`);
    };
    const permissionFor = (action: string, name: string | null) => [
      { action: `cloudformation:${action}`, resource: find(name)?.id ?? '*' },
    ];
    super({
      signingName: 'cloudformation',
      product: 'CloudFormation',
      namespace: 'http://cloudformation.amazonaws.com/doc/2010-05-15/',
      operations: {
        DescribeStacks: (parameters) => {
          const name = parameters.get('StackName');
          return {
            permissions: permissionFor('DescribeStacks', name),
            answer: () => {
              const described = name === null ? stacks : [stackNamed(name)];
              return { Stacks: { member: described.map((stack) => stackContent(stack, time)) } };
            },
          };
        },
        ListStackResources: (parameters) => {
          const name = parameters.get('StackName');
          return {
            permissions: permissionFor('ListStackResources', name),
            answer: () => {
              const { resources } = stackNamed(name);
              return { StackResourceSummaries: { member: resources.map((one) => resourceContent(one, time)) } };
            },
          };
        },
      },
    });
  }
}

const stackContent = ({ name, id, outputs }: DeployedStack, time: string) => ({
  StackName: name,
  StackId: id,
  StackStatus: 'CREATE_COMPLETE',
  CreationTime: time,
  Outputs: {
    member: outputs.map(({ key, value, description, exportName }) => ({
      OutputKey: key,
      OutputValue: value,
      Description: description,
      ExportName: exportName,
    })),
  },
});

const resourceContent = ({ logicalId, physicalId, type }: DeployedResource, time: string) => ({
  LogicalResourceId: logicalId,
  PhysicalResourceId: physicalId,
  ResourceType: type,
  ResourceStatus: 'CREATE_COMPLETE',
  LastUpdatedTimestamp: time,
});
