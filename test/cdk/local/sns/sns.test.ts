import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import { SnsService } from '../../../../cdk/local/sns/sns-service.ts';
import { Topics } from '../../../../cdk/local/sns/topics.ts';
import { unconfirmedTopics } from '../../../../functions/edge/system/subscriptions.sns.ts';
import { appOf, clientOptions, startLocalCloud } from '../../../support/cloud/local-cloud.ts';
import { allowing, type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';

const ARN = 'arn:aws:sns:us-east-1:000000000000:alarms';

describe('a topic', () => {
  let cloud: Cloud;
  beforeAll(async () => {
    const app = appOf((stack: Stack) => {
      for (const id of ['Heard', 'Unheard']) {
        const topic = new Topic(stack, id);
        new CfnOutput(stack, `${id}Arn`, { value: topic.topicArn });
        if (id === 'Heard') topic.addSubscription(new EmailSubscription('ops@example.com'));
      }
    });
    cloud = await startLocalCloud({ app });
  });
  afterAll(() => cloud?.close());

  it('counts a mail address as pending until its owner has confirmed it', async () => {
    const client = new SNSClient(clientOptions(cloud));
    const [heard, unheard] = [cloud.outputs['HeardArn']!, cloud.outputs['UnheardArn']!];
    const counts = async () => {
      const { Attributes } = await client.send(new GetTopicAttributesCommand({ TopicArn: heard }));
      return [Attributes?.['SubscriptionsConfirmed'], Attributes?.['SubscriptionsPending']];
    };
    expect(await counts()).toEqual(['0', '1']);
    expect(await unconfirmedTopics([heard, unheard], client)).toEqual([heard, unheard]);
    cloud.confirmSubscriptions(true);
    expect(await counts()).toEqual(['1', '0']);
    expect(await unconfirmedTopics([heard, unheard], client)).toEqual([unheard]);
    expect(await unconfirmedTopics([heard], client)).toEqual([]);
    cloud.confirmSubscriptions(false);
    expect(await unconfirmedTopics([heard], client)).toEqual([heard]);
  });
});

describe('a call of SNS', () => {
  let endpoint: LocalEndpoint;
  beforeAll(async () => {
    endpoint = await startLocalEndpoint();
    const topics = new Topics();
    topics.add(ARN);
    endpoint.add(new SnsService(topics));
  });
  afterAll(() => endpoint?.close());

  const ask = (TopicArn: string, role?: ReturnType<LocalEndpoint['role']>) =>
    new SNSClient(endpoint.clientOptions(role)).send(new GetTopicAttributesCommand({ TopicArn }));

  it('needs the permission for its topic', async () => {
    await expect(ask(ARN, endpoint.role('one', allowing('sns:GetTopicAttributes', ARN)))).resolves.toBeDefined();
    await expect(
      ask(ARN, endpoint.role('other', allowing('sns:GetTopicAttributes', `${ARN}-2`))),
    ).rejects.toMatchObject({
      name: expect.stringContaining('AccessDenied'),
    });
  });

  it('about a topic that does not exist is refused', async () => {
    await expect(ask(`${ARN}-2`)).rejects.toMatchObject({ name: expect.stringContaining('NotFound') });
  });
});
