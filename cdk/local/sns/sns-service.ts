/** Serves the part of Amazon SNS that the product calls: the number of confirmed subscriptions. */
import { randomUUID } from 'node:crypto';
import type { AwsRequest, AwsResponse, AwsService, NeededPermission } from '../endpoint/aws-service.ts';
import type { Topics } from './topics.ts';

const NAMESPACE = 'http://sns.amazonaws.com/doc/2010-03-31/';

export class SnsService implements AwsService {
  readonly signingName = 'sns';
  private readonly topics: Topics;

  constructor(topics: Topics) {
    this.topics = topics;
  }

  permissionsOf(request: AwsRequest): readonly NeededPermission[] {
    const { action, topic } = parametersOf(request);
    return [{ action: `sns:${action}`, resource: topic }];
  }

  handle(request: AwsRequest): Promise<AwsResponse> {
    return Promise.resolve(this.answer(request));
  }

  error(status: number, code: string, message: string): AwsResponse {
    const fault = status < 500 ? 'Sender' : 'Receiver';
    return xml(
      status,
      `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>${fault}</Type><Code>${code}</Code>` +
        `<Message>${escaped(message)}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
    );
  }

  private answer(request: AwsRequest): AwsResponse {
    const { action, topic } = parametersOf(request);
    if (action !== 'GetTopicAttributes') {
      return this.error(501, 'NotImplemented', `The local cloud answers GetTopicAttributes of SNS, not ${action}.`);
    }
    const counts = this.topics.countsOf(topic);
    if (!counts) return this.error(404, 'NotFound', 'Topic does not exist');
    const attributes = {
      TopicArn: topic,
      SubscriptionsConfirmed: counts.confirmed,
      SubscriptionsPending: counts.pending,
      SubscriptionsDeleted: 0,
    };
    const entries = Object.entries(attributes).map(
      ([key, value]) => `<entry><key>${key}</key><value>${escaped(String(value))}</value></entry>`,
    );
    return xml(
      200,
      `<GetTopicAttributesResponse xmlns="${NAMESPACE}"><GetTopicAttributesResult><Attributes>${entries.join('')}` +
        `</Attributes></GetTopicAttributesResult><ResponseMetadata><RequestId>${randomUUID()}</RequestId>` +
        '</ResponseMetadata></GetTopicAttributesResponse>',
    );
  }
}

function parametersOf({ body }: AwsRequest) {
  const parameters = new URLSearchParams(body.toString());
  return { action: parameters.get('Action') ?? '', topic: parameters.get('TopicArn') ?? '' };
}

function xml(status: number, body: string): AwsResponse {
  return { status, headers: { 'content-type': 'text/xml' }, body };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
