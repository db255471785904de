import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/** Calls a function every minute. One that fails is not called again for it: the next minute comes soon enough. */
export function everyMinute(scope: Construct, id: string, called: LambdaFunction, description: string): void {
  called.configureAsyncInvoke({ retryAttempts: 0 });
  new Rule(scope, id, {
    description,
    schedule: Schedule.rate(Duration.minutes(1)),
    targets: [new FunctionTarget(called)],
  });
}
