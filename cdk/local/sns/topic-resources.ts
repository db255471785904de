/** Topics and their subscriptions. */
import { z } from 'zod';
import { physicalName } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import { ignored } from '../cloudformation/property.ts';
import {
  type DeclaredResource,
  type Provisioned,
  propertiesOf,
  type ResourceFamily,
} from '../cloudformation/resource-family.ts';
import { SnsService } from './sns-service.ts';
import type { Topics } from './topics.ts';

const TopicProperties = z.strictObject({ TopicName: z.string().optional(), KmsMasterKeyId: ignored, Tags: ignored });
const SubscriptionProperties = z.strictObject({
  TopicArn: z.string(),
  Protocol: z.literal('email', { error: 'the local cloud has subscriptions by mail only' }),
  Endpoint: z.string(),
});

export function snsResources({ region, accountId, endpoint }: CloudContext, topics: Topics): ResourceFamily {
  endpoint.add(new SnsService(topics));

  const topic = (resource: DeclaredResource): Provisioned => {
    const name = propertiesOf(resource, TopicProperties).TopicName ?? physicalName('other', resource);
    const arn = `arn:aws:sns:${region}:${accountId}:${name}`;
    topics.add(arn);
    return { ref: arn, attributes: { TopicArn: arn, TopicName: name } };
  };
  const subscription = (resource: DeclaredResource): Provisioned => {
    const { TopicArn } = propertiesOf(resource, SubscriptionProperties);
    topics.subscribe(TopicArn);
    return { ref: `${TopicArn}:${physicalName('other', resource)}`, attributes: {} };
  };
  // The endpoint publishes nothing, so who may publish changes nothing.
  const policy = (resource: DeclaredResource): Provisioned => ({
    ref: physicalName('other', resource),
    attributes: {},
  });

  return {
    types: { 'AWS::SNS::Topic': topic, 'AWS::SNS::Subscription': subscription, 'AWS::SNS::TopicPolicy': policy },
  };
}
