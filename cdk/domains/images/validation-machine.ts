import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import {
  Choice,
  Condition,
  DefinitionBody,
  IntegrationPattern,
  JitterType,
  JsonPath,
  Map as MapState,
  Pass,
  type RetryProps,
  StateMachine,
  StateMachineType,
  Succeed,
  TaskInput,
  Timeout,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';

interface Functions {
  readonly prepare: IFunction;
  readonly examine: IFunction;
  readonly decide: IFunction;
  readonly review: IFunction;
  readonly apply: IFunction;
}

interface ValidationMachineProps {
  readonly functions: Functions;
  readonly reviewDays: number;
  /** Longer than the function that examines may take. */
  readonly examineSeconds: number;
}

/** Images of one record that are examined at the same time. */
const IMAGES_AT_ONCE = 4;

const record = { 'tenant.$': '$.tenant', 'id.$': '$.id' };
/** What the last function has answered. */
const answer = { resultSelector: { 'answer.$': '$.Payload' }, resultPath: '$.step' };

/**
 * Decides records, one execution each. Its functions are idempotent and the record itself guards the verdict, so every
 * state may be repeated, and two executions of one record end in one verdict.
 */
export class ValidationMachine extends Construct {
  readonly machine: StateMachine;

  constructor(scope: Construct, id: string, { functions, reviewDays, examineSeconds }: ValidationMachineProps) {
    super(scope, id);
    const done = new Succeed(this, 'Decided');
    const apply = this.#applied(functions.apply, 'Apply', { 'cause.$': '$.step.answer.cause' }).next(done);
    const applyReview = this.#applied(functions.apply, 'ApplyReview', { cause: { kind: 'reviewed' } }).next(done);
    const giveUp = this.#applied(functions.apply, 'GiveUp', { cause: { kind: 'failed' } }).next(done);
    const review = this.#reviewed(functions.review, reviewDays);
    review.addCatch(applyReview, { errors: ['States.Timeout'], resultPath: JsonPath.DISCARD });
    review.addCatch(done, { errors: ['AlreadyDecided'], resultPath: JsonPath.DISCARD });
    const next = (name: string) => Condition.stringEquals('$.step.answer.next', name);
    const decide = this.#called(functions.decide, 'Decide', { ...record, 'images.$': '$.examined' }).next(
      new Choice(this, 'IsCertain').when(next('apply'), apply).when(next('review'), review.next(applyReview)).otherwise(done),
    );
    const prepare = this.#called(functions.prepare, 'Prepare', record).next(
      new Choice(this, 'IsToExamine')
        .when(next('apply'), apply)
        .when(next('examine'), this.#examined(functions.examine, examineSeconds).next(decide))
        .otherwise(done),
    );
    const stage = (name: string) => Condition.stringEquals('$.stage', name);
    const start = new Choice(this, 'Stage').when(stage('examine'), prepare).when(stage('apply'), applyReview).otherwise(giveUp);
    this.machine = new StateMachine(this, 'Machine', {
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromChainable(start),
      comment: 'Decides one image validation.',
    });
  }

  #called(called: IFunction, name: string, payload: Record<string, unknown>): LambdaInvoke {
    const task = this.#task(called, name, { payload: TaskInput.fromObject(payload), ...answer });
    retried(task, EVERYTHING);
    return task;
  }

  #applied(called: IFunction, name: string, cause: Record<string, unknown>): LambdaInvoke {
    const payload = TaskInput.fromObject({ ...record, ...cause });
    const task = this.#task(called, name, { payload, resultPath: JsonPath.DISCARD });
    retried(task, EVERYTHING);
    return task;
  }

  /** Every image by itself: what one of them does to its function is no fault of the others. */
  #examined(called: IFunction, seconds: number): MapState {
    const task = this.#task(called, 'Examine', {
      taskTimeout: Timeout.duration(Duration.seconds(seconds)),
      resultSelector: { 'slot.$': '$.Payload.slot', 'failed.$': '$.Payload.failed' },
    });
    // Out of memory or of time: the same image mostly does the same once more.
    retried(task, { errors: [...CRASHES], maxAttempts: 1 }, EVERYTHING);
    const failed = new Pass(this, 'NotExamined', { parameters: { 'slot.$': '$.image.slot', failed: true } });
    task.addCatch(failed, { resultPath: '$.error' });
    return new MapState(this, 'EveryImage', {
      itemsPath: '$.step.answer.images',
      itemSelector: { ...record, 'image.$': '$$.Map.Item.Value' },
      maxConcurrency: IMAGES_AT_ONCE,
      resultPath: '$.examined',
    }).itemProcessor(task);
  }

  #reviewed(called: IFunction, days: number): LambdaInvoke {
    const task = this.#task(called, 'Review', {
      integrationPattern: IntegrationPattern.WAIT_FOR_TASK_TOKEN,
      taskTimeout: Timeout.duration(Duration.days(days)),
      payload: TaskInput.fromObject({
        ...record,
        token: JsonPath.taskToken,
        'question.$': '$.step.answer.question',
      }),
      resultPath: JsonPath.DISCARD,
    });
    retried(task, { errors: ['States.Timeout', 'AlreadyDecided'], maxAttempts: 0 }, EVERYTHING);
    return task;
  }

  #task(lambdaFunction: IFunction, name: string, props: Partial<ConstructorParameters<typeof LambdaInvoke>[2]>) {
    return new LambdaInvoke(this, name, { lambdaFunction, retryOnServiceExceptions: false, ...props });
  }
}

const CRASHES = ['Lambda.Unknown', 'Runtime.ExitError', 'Sandbox.Timedout', 'States.Timeout'] as const;

const backoff = { interval: Duration.seconds(2), backoffRate: 2, jitterStrategy: JitterType.FULL } as const;
const OF_LAMBDA: RetryProps = {
  errors: [
    'Lambda.ServiceException',
    'Lambda.AWSLambdaException',
    'Lambda.SdkClientException',
    'Lambda.ClientExecutionTimeoutException',
  ],
  ...backoff,
  maxAttempts: 6,
};
/** A burst of submissions waits until functions are free. */
const THROTTLES: RetryProps = {
  errors: ['Lambda.TooManyRequestsException'],
  ...backoff,
  maxDelay: Duration.minutes(1),
  maxAttempts: 20,
};
/** Calls of the functions themselves that have failed more often than they repeat them. */
const EVERYTHING: RetryProps = { errors: ['States.ALL'], ...backoff, maxAttempts: 4 };

function retried(task: LambdaInvoke, ...first: readonly RetryProps[]): void {
  const last = first.at(-1)!;
  for (const retry of [...first.slice(0, -1), OF_LAMBDA, THROTTLES, last]) task.addRetry(retry);
}
