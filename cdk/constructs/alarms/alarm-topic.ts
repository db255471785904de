import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { NOBODY } from '../../settings.ts';
import { dataKey } from '../data-key.ts';

/** Mails alarms of the stage to this address. */
export class AlarmTopic extends Topic {
  /** False if the settings say that nobody gets mail. */
  readonly hasReceiver: boolean;

  constructor(scope: Construct, id: string, address: string) {
    const masterKey = dataKey(scope, id);
    super(scope, id, { enforceSSL: true, ...(masterKey && { masterKey }) });
    // Demanding TLS gives the topic its own policy, without the default one that lets the account's alarms publish.
    this.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    this.hasReceiver = address !== NOBODY;
    if (this.hasReceiver) this.addSubscription(new EmailSubscription(address));
  }
}
