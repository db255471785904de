import { Stack } from 'aws-cdk-lib';
import { type Alarm, ComparisonOperator, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { settingsOf } from '../settings.ts';

const RUNBOOK = 'Runbook: README.md, section Operations.';

interface AlarmOptions {
  readonly metric: Metric;
  /** Above this in one period the alarm sounds. @default 0 */
  readonly above?: number;
  /** The metric is told in every period, so that its absence means that nobody measures. @default false */
  readonly silenceIsBad?: boolean;
  /** Who is hurt, and what to look at first. A full sentence. */
  readonly meaning: string;
}

/** An alarm that mails the operator. No data is mostly good news: idle functions report nothing. */
export function alarm(
  scope: Construct,
  id: string,
  { metric, above = 0, silenceIsBad = false, meaning }: AlarmOptions,
): Alarm {
  const made = metric.createAlarm(scope, id, {
    alarmDescription: `${meaning} ${RUNBOOK}`,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    threshold: above,
    evaluationPeriods: 1,
    treatMissingData: silenceIsBad ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
  made.addAlarmAction(new SnsAction(topicOf(scope)));
  return made;
}

/** One topic per stack, made when the first alarm needs it. */
function topicOf(scope: Construct): Topic {
  const stack = Stack.of(scope);
  const existing = stack.node.tryFindChild('Alarms');
  if (existing instanceof Topic) return existing;
  const topic = new Topic(stack, 'Alarms', { enforceSSL: true });
  // A topic with a policy of its own, which demands TLS here, has none that lets alarms of its account in.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': stack.account } },
    }),
  );
  const { alarmEmail } = settingsOf(scope);
  if (alarmEmail) topic.addSubscription(new EmailSubscription(alarmEmail));
  return topic;
}
