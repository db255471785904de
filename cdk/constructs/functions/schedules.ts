import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { Rule, type RuleProps, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import { scheduleVariables } from '#shared/schedules/schedule-run';
import type { SCHEDULE } from '../../../functions/edge/system/system-parts.ts';
import type { Binding } from './bindings.ts';
import type { ServiceFunction } from './service-function.ts';

interface ScheduleProps {
  readonly called: ServiceFunction;
  readonly schedule: Schedule;
  readonly description: string;
  /** The function runs so often. */
  readonly everyMinutes: number;
  /** EventBridge and Lambda drop a call that is later than this, and repeat none that failed. @default a day, and three tries */
  readonly latest?: Duration;
}

/** Calls a function by the clock. */
export class ScheduleRule extends Rule {
  private readonly called: ServiceFunction;
  private readonly everyMinutes: number;

  constructor(scope: Construct, id: string, { called, schedule, description, everyMinutes, latest }: ScheduleProps) {
    const onlyOnce = latest && { retryAttempts: 0, maxEventAge: latest };
    if (onlyOnce) called.configureAsyncInvoke(onlyOnce);
    super(scope, id, {
      description,
      schedule,
      targets: [new FunctionTarget(called, onlyOnce)],
    } satisfies RuleProps);
    this.called = called;
    this.everyMinutes = everyMinutes;
  }

  /** Lets the function record its runs in a table, and names the schedule in the outputs, where the watch finds it. */
  recordsRuns({ value, grantTo }: Binding): void {
    const { service, node } = this.called;
    for (const [name, text] of Object.entries(scheduleVariables(`${service}/${node.id}`, value))) {
      this.called.addEnvironment(name, text);
    }
    grantTo?.(this.called);
    const named: typeof SCHEDULE = 'Schedule';
    new CfnOutput(Stack.of(this), `${named}${node.id}`, { value: String(this.everyMinutes) });
  }
}

/**
 * Calls a function every minute. A failed call is not repeated and a late one is dropped: the next one follows within a
 * minute, and repeated calls would pile up beside it.
 */
export function everyMinute(scope: Construct, id: string, called: ServiceFunction, description: string): void {
  const latest = Duration.minutes(1);
  new ScheduleRule(scope, id, { called, description, schedule: Schedule.rate(latest), everyMinutes: 1, latest });
}

/** Calls a function every hour, on the hour. A failed call is not repeated: what it left is done by the next one. */
export function everyHour(scope: Construct, id: string, called: ServiceFunction, description: string): void {
  const schedule = Schedule.cron({ minute: '0' });
  new ScheduleRule(scope, id, { called, description, schedule, everyMinutes: 60, latest: Duration.minutes(30) });
}

/** Calls a function once a day, at this time in UTC. */
export function everyDay(
  scope: Construct,
  id: string,
  { called, at: [hour, minute], description }: { called: ServiceFunction; at: [number, number]; description: string },
): void {
  const schedule = Schedule.cron({ hour: String(hour), minute: String(minute) });
  new ScheduleRule(scope, id, { called, description, schedule, everyMinutes: 24 * 60 });
}
