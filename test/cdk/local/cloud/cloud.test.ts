import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudFormationClient, DescribeStacksCommand, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { App, CfnOutput, CfnParameter, CfnResource, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import {
  appOf,
  clientOptions,
  functionOf,
  importing,
  invoke,
  startLocalCloud,
} from '../../../support/cloud/local-cloud.ts';

const WRITER = `
${importing('DynamoDBClient, PutItemCommand, GetItemCommand', '@aws-sdk/client-dynamodb')}
const dynamodb = new DynamoDBClient();
const commands = { put: PutItemCommand, get: GetItemCommand };
export const handler = async ({ call, input }) => {
  await dynamodb.send(new commands[call]({ TableName: process.env.TABLE, ...input }));
  return process.env;
};`;

function twoStacks(outdir: string): App {
  const app = new App({ outdir });
  const data = new Stack(app, 'data');
  const service = new Stack(app, 'service');
  const table = new TableV2(data, 'Table', {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    timeToLiveAttribute: 'ttl',
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
  });
  const bucket = new Bucket(data, 'Bucket', {
    enforceSSL: true,
    autoDeleteObjects: true,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const writer = functionOf(service, 'Writer', WRITER, {
    environment: {
      TABLE: table.tableName,
      BUCKET: bucket.bucketName,
    },
  });
  table.grant(writer, 'dynamodb:PutItem');
  new CfnOutput(service, 'Greeting', { value: 'a <b> & "c"', description: 'what to say', exportName: 'said' });
  return app;
}

let cloud: Cloud;
beforeAll(async () => {
  cloud = await startLocalCloud({ app: twoStacks });
});
afterAll(() => cloud.close());

const write = (input: object, call = 'put') => invoke(cloud, cloud.functionName('service/Writer'), { call, input });
const types = () => cloud.stacks.flatMap(({ resources }) => resources.map(({ type }) => type));

describe('the stacks of an app', () => {
  it('are deployed with what one takes from the other', async () => {
    expect((await write({ Item: { pk: { S: 'x' } } })).payload).toMatchObject({
      TABLE: expect.stringMatching(/^data-Table/),
      BUCKET: expect.stringMatching(/^data-bucket/),
    });
  });

  it('allow a function what its role allows, and nothing else', async () => {
    expect(await write({ Key: { pk: { S: 'x' } } }, 'get')).toMatchObject({
      error: 'Unhandled',
      payload: {
        errorType: 'AccessDeniedException',
        errorMessage: expect.stringContaining('dynamodb:GetItem on resource: arn:aws:dynamodb'),
      },
    });
  });

  it('do not run the functions of CDK itself', () => {
    expect(types()).toContain('Custom::S3AutoDeleteObjects');
    expect(() => cloud.functionName('AutoDelete')).toThrow('0 functions are named');
  });
});

describe('CloudFormation', () => {
  let client: CloudFormationClient;
  beforeAll(() => {
    client = new CloudFormationClient(clientOptions(cloud));
  });

  it('tells the outputs of a stack, by its name or id', async () => {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: 'service' }));
    const output = {
      OutputKey: 'Greeting',
      OutputValue: 'a <b> & "c"',
      Description: 'what to say',
      ExportName: 'said',
    };
    expect(Stacks).toMatchObject([
      { StackName: 'service', StackStatus: 'CREATE_COMPLETE', CreationTime: expect.any(Date), Outputs: [output] },
    ]);
    const { Stacks: again } = await client.send(new DescribeStacksCommand({ StackName: Stacks[0]?.StackId }));
    expect(again).toEqual(Stacks);
  });

  it('tells all stacks, and knows no others', async () => {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({}));
    expect(Stacks.map(({ StackName }) => StackName)).toEqual(['data', 'service']);
    await expect(client.send(new DescribeStacksCommand({ StackName: 'other' }))).rejects.toMatchObject({
      name: 'ValidationError',
      message: 'Stack with id other does not exist',
    });
  });

  it('tells the resources of a stack', async () => {
    const { StackResourceSummaries = [] } = await client.send(new ListStackResourcesCommand({ StackName: 'data' }));
    const table = StackResourceSummaries.find(({ ResourceType }) => ResourceType === 'AWS::DynamoDB::GlobalTable');
    expect(table).toMatchObject({
      LogicalResourceId: expect.stringMatching(/^Table/),
      PhysicalResourceId: expect.stringMatching(/^data-Table/),
      ResourceStatus: 'CREATE_COMPLETE',
    });
  });
});

describe('a template that this cloud cannot run truthfully', () => {
  const starting = (fill: (stack: Stack) => void) => startLocalCloud({ app: appOf(fill) });

  it('with unknown resources ends the start naming them all', async () => {
    const start = starting((stack) => {
      new CfnResource(stack, 'One', { type: 'AWS::EC2::VPC' });
      new CfnResource(stack, 'Two', { type: 'Custom::Thing' });
    });
    await expect(start).rejects.toThrow(
      'The local cloud does not have these resources: AWS::EC2::VPC (One in test), Custom::Thing (Two in test).',
    );
  });

  it('with an unknown property ends the start naming it', async () => {
    const start = starting((stack) => {
      new CfnResource(stack, 'Queue', { type: 'AWS::SQS::Queue', properties: { Colour: 'red' } });
    });
    await expect(start).rejects.toThrow(
      /test\/Queue \(AWS::SQS::Queue\): The local cloud cannot run this as it is declared\..*Colour: the local cloud does not have it/,
    );
  });

  it('with another runtime ends the start', async () => {
    const start = starting((stack) => {
      const code = Code.fromInline('x');
      new LambdaFunction(stack, 'Old', { runtime: Runtime.NODEJS_22_X, handler: 'index.handler', code });
    });
    await expect(start).rejects.toThrow('the local cloud runs nodejs24.x');
  });

  it('with a policy of AWS that nobody here knows ends the start', async () => {
    const start = starting((stack) => {
      const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
      role.addManagedPolicy(ManagedPolicy.fromAwsManagedPolicyName('AdministratorAccess'));
    });
    await expect(start).rejects.toThrow(
      'does not know what the policy arn:aws:iam::aws:policy/AdministratorAccess of AWS allows',
    );
  });

  it('with a policy that has an unknown condition ends the start', async () => {
    const start = starting((stack) => {
      const grant = new Queue(stack, 'Queue').grantSendMessages(functionOf(stack, 'Sender', WRITER));
      grant.principalStatement?.addCondition('StringEquals', { 'aws:Weather': 'sunny' });
    });
    await expect(start).rejects.toThrow(/aws:Weather/);
  });

  it('with a role that Lambda may not act as ends the start', async () => {
    const start = starting((stack) => {
      const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('events.amazonaws.com') });
      functionOf(stack, 'Writer', WRITER, { role });
    });
    await expect(start).rejects.toThrow('cannot be assumed by lambda.amazonaws.com');
  });
});

describe('a parameter of a template', () => {
  const starting = (parameters: Record<string, string>) =>
    startLocalCloud({
      app: appOf((stack) => {
        new Queue(stack, 'Queue');
        const names = { Color: 'red', Shape: 'round' };
        for (const [name, value] of Object.entries(names)) {
          const { valueAsString } = new CfnParameter(stack, name, { default: value });
          new CfnOutput(stack, `Is${name}`, { value: `a ${valueAsString}` });
        }
      }),
      parameters,
    });

  it('has the value that the start gives it, and otherwise its default', async () => {
    const started = await starting({ Color: 'blue' });
    expect(started.outputs).toMatchObject({ IsColor: 'a blue', IsShape: 'a round' });
    await started.close();
  });

  it('that no stack has ends the start naming it', async () => {
    await expect(starting({ Size: 'big' })).rejects.toThrow('No stack has a parameter Size.');
  });
});

describe('two clouds', () => {
  it('run side by side and know nothing of each other', async () => {
    const other = await startLocalCloud({ app: twoStacks });
    expect(other.awsUrl).not.toBe(cloud.awsUrl);
    expect(other.apiUrl).not.toBe(cloud.apiUrl);
    await other.close();
    expect((await write({ Item: { pk: { S: 'y' } } })).error).toBeNull();
  });

  it('cannot share a port', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const inUse = { code: 'EADDRINUSE', port };
    await expect(startLocalCloud({ app: twoStacks, port })).rejects.toMatchObject(inUse);
    await expect(startLocalCloud({ app: twoStacks, awsPort: port })).rejects.toMatchObject(inUse);
    server.close();
  });
});
