import type { READING_OUT_OF_TIME } from '../../../functions/images/examining/examine-image.ts';

/** A machine of the Amazon States Language, in JSONPath. */
export interface Definition {
  readonly Comment: string;
  readonly StartAt: string;
  readonly States: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** ARNs of the functions that the states call. */
export interface ValidationFunctions {
  readonly prepare: string;
  readonly decide: string;
  readonly review: string;
  readonly apply: string;
}

export interface ValidationOptions {
  readonly reviewDays: number;
  /** The queue holds the images that wait to be examined. */
  readonly imagesQueueUrl: string;
}

/** Images of one record that are in the queue at the same time. */
const IMAGES_AT_ONCE = 4;
/**
 * The longest wait of an image in the queue; after it the validation needs a review. An alarm goes off after the first
 * hour.
 */
const EXAMINED_WITHIN_SECONDS = 3 * 86_400;

const INVOKE = 'arn:aws:states:::lambda:invoke';
const RECORD = { 'tenant.$': '$.tenant', 'id.$': '$.id', 'origin.$': '$.origin' };
/** The result of the last function: `next` names the next state. */
const ANSWER = { ResultSelector: { 'answer.$': '$.Payload' }, ResultPath: '$.step' };

const BACKOFF = { IntervalSeconds: 2, BackoffRate: 2, JitterStrategy: 'FULL' };
const OF_LAMBDA = {
  ErrorEquals: [
    'Lambda.ServiceException',
    'Lambda.AWSLambdaException',
    'Lambda.SdkClientException',
    'Lambda.ClientExecutionTimeoutException',
  ],
  ...BACKOFF,
  MaxAttempts: 6,
};
/** A burst of submissions waits until functions are free. */
const THROTTLES = {
  ErrorEquals: ['Lambda.TooManyRequestsException'],
  ...BACKOFF,
  MaxDelaySeconds: 60,
  MaxAttempts: 20,
};
/** Calls of the functions themselves that have failed more often than the functions repeat them. */
const EVERYTHING = { ErrorEquals: ['States.ALL'], ...BACKOFF, MaxAttempts: 4 };
const RETRY = [OF_LAMBDA, THROTTLES, EVERYTHING];
/**
 * The error after a reading timeout. The machine may have been busy, or the image is hard to read, so it is retried.
 */
const OUT_OF_TIME: typeof READING_OUT_OF_TIME = 'ReadingOutOfTime';
const READING = { ErrorEquals: [OUT_OF_TIME], IntervalSeconds: 30, BackoffRate: 4, MaxAttempts: 2 };

const lambdaArguments = (FunctionName: string, Payload: Readonly<Record<string, unknown>>) => ({
  Type: 'Task',
  Resource: INVOKE,
  Parameters: { FunctionName, Payload },
  Retry: RETRY,
});

const next = (StringEquals: string, Next: string) => ({ Variable: '$.step.answer.next', StringEquals, Next });

/**
 * Decides one record. Its functions are idempotent and the record itself guards the verdict, so every state may be
 * repeated, and two executions of one record end in one verdict.
 */
export function validationDefinition(
  functions: ValidationFunctions,
  { reviewDays, imagesQueueUrl }: ValidationOptions,
): Definition {
  const applied = (cause: Readonly<Record<string, unknown>>) => ({
    ...lambdaArguments(functions.apply, { ...RECORD, ...cause }),
    ResultPath: null,
    Next: 'Decided',
  });
  return {
    Comment: 'Decides one image validation.',
    StartAt: 'Stage',
    States: {
      Stage: {
        Type: 'Choice',
        Choices: [
          { Variable: '$.stage', StringEquals: 'examine', Next: 'Prepare' },
          { Variable: '$.stage', StringEquals: 'apply', Next: 'ApplyReview' },
        ],
        Default: 'GiveUp',
      },
      Prepare: { ...lambdaArguments(functions.prepare, RECORD), ...ANSWER, Next: 'IsToExamine' },
      IsToExamine: {
        Type: 'Choice',
        Choices: [next('examine', 'EveryImage'), next('apply', 'Apply')],
        Default: 'Decided',
      },
      EveryImage: {
        Type: 'Map',
        ItemsPath: '$.step.answer.images',
        ItemSelector: { ...RECORD, 'image.$': '$$.Map.Item.Value' },
        MaxConcurrency: IMAGES_AT_ONCE,
        ItemProcessor: oneImage(imagesQueueUrl),
        ResultPath: '$.examined',
        Next: 'Decide',
      },
      Decide: {
        ...lambdaArguments(functions.decide, { ...RECORD, 'images.$': '$.examined' }),
        ...ANSWER,
        Next: 'IsCertain',
      },
      IsCertain: {
        Type: 'Choice',
        Choices: [next('apply', 'Apply'), next('review', 'Review')],
        Default: 'Decided',
      },
      Review: { ...reviewed(functions.review, reviewDays), Next: 'ApplyReview' },
      Apply: applied({ 'cause.$': '$.step.answer.cause' }),
      ApplyReview: applied({ cause: { kind: 'reviewed' } }),
      GiveUp: applied({ cause: { kind: 'failed' } }),
      Decided: { Type: 'Succeed' },
    },
  };
}

/**
 * Examines each image in a message of its own, so that a failure of one does not affect the others. The queue limits
 * how many are examined at the same time, per app and in total.
 */
function oneImage(QueueUrl: string) {
  return {
    ProcessorConfig: { Mode: 'INLINE' },
    StartAt: 'Examine',
    States: {
      Examine: {
        Type: 'Task',
        Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken',
        Parameters: {
          QueueUrl,
          'MessageGroupId.$': '$.image.lane',
          MessageBody: { ...RECORD, 'image.$': '$.image', 'token.$': '$$.Task.Token' },
        },
        TimeoutSeconds: EXAMINED_WITHIN_SECONDS,
        Retry: [READING, { ErrorEquals: ['States.Timeout'], MaxAttempts: 0 }, EVERYTHING],
        Catch: [
          { ErrorEquals: [OUT_OF_TIME], ResultPath: null, Next: 'ReadInPart' },
          { ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'NotExamined' },
        ],
        End: true,
      },
      ReadInPart: { Type: 'Pass', Parameters: { 'name.$': '$.image.name', failed: false }, End: true },
      NotExamined: { Type: 'Pass', Parameters: { 'name.$': '$.image.name', failed: true }, End: true },
    },
  };
}

/** Waits for a person, who may decide before the time is up. */
function reviewed(review: string, days: number) {
  const question = { ...RECORD, 'token.$': '$$.Task.Token', 'question.$': '$.step.answer.question' };
  return {
    ...lambdaArguments(review, question),
    Resource: `${INVOKE}.waitForTaskToken`,
    TimeoutSeconds: days * 86_400,
    Retry: [{ ErrorEquals: ['States.Timeout'], MaxAttempts: 0 }, ...RETRY],
    Catch: [{ ErrorEquals: ['States.Timeout'], ResultPath: null, Next: 'ApplyReview' }],
    ResultPath: null,
  };
}
