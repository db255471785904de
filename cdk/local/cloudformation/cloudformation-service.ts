/** CloudFormation behind the AWS endpoint: commands find the outputs of a stack as they do on AWS. */
import { randomUUID } from 'node:crypto';
import type { AwsRequest, AwsResponse, AwsService, NeededPermission } from '../endpoint/aws-service.ts';
import type { DeployedResource, DeployedStack } from './deploy.ts';

const NAMESPACE = 'http://cloudformation.amazonaws.com/doc/2010-05-15/';

export class CloudFormationService implements AwsService {
  readonly signingName = 'cloudformation';
  private readonly stacks: readonly DeployedStack[];
  private readonly startedAt: Date;

  constructor(stacks: readonly DeployedStack[], startedAt: Date) {
    this.stacks = stacks;
    this.startedAt = startedAt;
  }

  permissionsOf(request: AwsRequest): readonly NeededPermission[] {
    const { action, stackName } = parametersOf(request);
    return [{ action: `cloudformation:${action}`, resource: this.find(stackName)?.id ?? '*' }];
  }

  handle(request: AwsRequest): Promise<AwsResponse> {
    return Promise.resolve(this.answer(request));
  }

  error(status: number, code: string, message: string): AwsResponse {
    const type = status < 500 ? 'Sender' : 'Receiver';
    const error = element(
      'Error',
      element('Type', type) + element('Code', code) + element('Message', escaped(message)),
    );
    return xml(
      status,
      `<ErrorResponse xmlns="${NAMESPACE}">${error}${element('RequestId', randomUUID())}</ErrorResponse>`,
    );
  }

  private answer(request: AwsRequest): AwsResponse {
    const { action, stackName, logicalId } = parametersOf(request);
    if (action === 'DescribeStacks' && stackName === undefined) {
      return success(
        action,
        list(
          'Stacks',
          this.stacks.map((stack) => this.stackXml(stack)),
        ),
      );
    }
    const stack = this.find(stackName);
    if (!stack) return this.error(400, 'ValidationError', `Stack with id ${stackName} does not exist`);
    switch (action) {
      case 'DescribeStacks':
        return success(action, list('Stacks', [this.stackXml(stack)]));
      case 'ListStackResources':
        return success(
          action,
          list(
            'StackResourceSummaries',
            stack.resources.map((one) => this.resourceXml(one)),
          ),
        );
      case 'DescribeStackResources': {
        const matches = stack.resources.filter((one) => logicalId === undefined || one.logicalId === logicalId);
        const owner = element('StackName', stack.name) + element('StackId', stack.id);
        return success(
          action,
          list(
            'StackResources',
            matches.map((one) => owner + this.resourceXml(one)),
          ),
        );
      }
      default:
        return this.error(501, 'NotImplemented', `The local cloud does not have ${action} of CloudFormation.`);
    }
  }

  private find(name: string | undefined): DeployedStack | undefined {
    return this.stacks.find((stack) => stack.name === name || stack.id === name);
  }

  private stackXml({ name, id, outputs }: DeployedStack): string {
    return (
      element('StackName', name) +
      element('StackId', id) +
      element('StackStatus', 'CREATE_COMPLETE') +
      element('CreationTime', this.startedAt.toISOString()) +
      list(
        'Outputs',
        outputs.map(
          ({ key, value, description, exportName }) =>
            element('OutputKey', key) +
            element('OutputValue', escaped(value)) +
            (description === undefined ? '' : element('Description', escaped(description))) +
            (exportName === undefined ? '' : element('ExportName', escaped(exportName))),
        ),
      )
    );
  }

  private resourceXml({ logicalId, physicalId, type }: DeployedResource): string {
    const time = this.startedAt.toISOString();
    return (
      element('LogicalResourceId', logicalId) +
      element('PhysicalResourceId', escaped(physicalId)) +
      element('ResourceType', type) +
      element('ResourceStatus', 'CREATE_COMPLETE') +
      element('LastUpdatedTimestamp', time) +
      element('Timestamp', time)
    );
  }
}

/** The query protocol sends its parameters as a form or in the query string. */
function parametersOf({ method, body, query }: AwsRequest) {
  const parameters = method === 'POST' ? new URLSearchParams(body.toString('utf8')) : query;
  return {
    action: parameters.get('Action') ?? '',
    stackName: parameters.get('StackName') ?? undefined,
    logicalId: parameters.get('LogicalResourceId') ?? undefined,
  };
}

function success(action: string, result: string): AwsResponse {
  const metadata = element('ResponseMetadata', element('RequestId', randomUUID()));
  const body = element(`${action}Result`, result) + metadata;
  return xml(200, `<${action}Response xmlns="${NAMESPACE}">${body}</${action}Response>`);
}

const element = (name: string, content: string) => `<${name}>${content}</${name}>`;
const list = (name: string, members: readonly string[]) =>
  element(name, members.map((member) => element('member', member)).join(''));

function xml(status: number, body: string): AwsResponse {
  return { status, headers: { 'content-type': 'text/xml' }, body };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
