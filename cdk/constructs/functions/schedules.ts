import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/**
 * Calls a function every minute. A failed call is not repeated and a late one is dropped: the next one follows within a
 * minute, and repeated calls would pile up beside it.
 */
export function everyMinute(scope: Construct, id: string, called: LambdaFunction, description: string): void {
  called.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
  new Rule(scope, id, {
    description,
    schedule: Schedule.rate(Duration.minutes(1)),
    targets: [new FunctionTarget(called, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
  });
}

/** Calls a function every hour, on the hour. A failed call is not repeated: what it left is done by the next one. */
export function everyHour(scope: Construct, id: string, called: LambdaFunction, description: string): void {
  called.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(30) });
  new Rule(scope, id, {
    description,
    schedule: Schedule.cron({ minute: '0' }),
    targets: [new FunctionTarget(called, { retryAttempts: 0, maxEventAge: Duration.minutes(30) })],
  });
}
