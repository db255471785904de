import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { callLimits } from '#shared/quotas/call-limits';

/** Returns the topics without a confirmed subscription: SNS deletes a subscription that was not confirmed within three days. */
export async function unconfirmedTopics(
  arns: readonly string[],
  client: SNSClient = ownClient(),
): Promise<readonly string[]> {
  const confirmed = await Promise.all(arns.map((arn) => confirmedOn(client, arn)));
  return arns.filter((_, at) => confirmed[at] === 0);
}

async function confirmedOn(client: SNSClient, TopicArn: string): Promise<number> {
  const { Attributes: attributes = {} } = await client.send(new GetTopicAttributesCommand({ TopicArn }));
  return Number(attributes['SubscriptionsConfirmed']);
}

let client: SNSClient | undefined;
const ownClient = () => (client ??= new SNSClient({ maxAttempts: 4, requestHandler: callLimits(3_000) }));
