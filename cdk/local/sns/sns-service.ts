/** Serves the part of Amazon SNS that the product calls: the number of confirmed subscriptions. */
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { QueryService } from '../endpoint/query-service.ts';
import type { Topics } from './topics.ts';

export class SnsService extends QueryService {
  constructor(topics: Topics) {
    super({
      signingName: 'sns',
      product: 'SNS',
      namespace: 'http://sns.amazonaws.com/doc/2010-03-31/',
      operations: {
        GetTopicAttributes: (parameters) => {
          const topic = parameters.get('TopicArn') ?? '';
          return {
            permissions: [{ action: 'sns:GetTopicAttributes', resource: topic }],
            answer: () => ({ Attributes: { entry: attributesOf(topics, topic) } }),
          };
        },
      },
    });
  }
}

function attributesOf(topics: Topics, topic: string) {
  const counts = topics.countsOf(topic);
  if (!counts) throw new CallRefusal(404, 'NotFound', 'Topic does not exist');
  return [
    { key: 'TopicArn', value: topic },
    { key: 'SubscriptionsConfirmed', value: counts.confirmed },
    { key: 'SubscriptionsPending', value: counts.pending },
    { key: 'SubscriptionsDeleted', value: 0 },
  ];
}
