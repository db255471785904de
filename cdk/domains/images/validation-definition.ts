/** A machine of the Amazon States Language, in JSONPath. */
export interface Definition {
  readonly Comment: string;
  readonly StartAt: string;
  readonly States: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** ARNs of the functions that the states call. */
export interface ValidationFunctions {
  readonly prepare: string;
  readonly examine: string;
  readonly decide: string;
  readonly review: string;
  readonly apply: string;
}

export interface ValidationLimits {
  readonly reviewDays: number;
  /** Longer than the function that examines may take. */
  readonly examineSeconds: number;
}

/** Images of one record that are examined at the same time. */
const IMAGES_AT_ONCE = 4;

const INVOKE = 'arn:aws:states:::lambda:invoke';
const RECORD = { 'tenant.$': '$.tenant', 'id.$': '$.id' };
/** What the last function has answered: `next` names what is to follow. */
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
/** Out of memory or of time: the same image mostly does the same once more. */
const CRASHES = {
  ErrorEquals: ['Lambda.Unknown', 'Runtime.ExitError', 'Sandbox.Timedout', 'States.Timeout'],
  ...BACKOFF,
  MaxAttempts: 1,
};

const calling = (FunctionName: string, Payload: Readonly<Record<string, unknown>>) => ({
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
  { reviewDays, examineSeconds }: ValidationLimits,
): Definition {
  const applied = (cause: Readonly<Record<string, unknown>>) => ({
    ...calling(functions.apply, { ...RECORD, ...cause }),
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
      Prepare: { ...calling(functions.prepare, RECORD), ...ANSWER, Next: 'IsToExamine' },
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
        ItemProcessor: oneImage(functions.examine, examineSeconds),
        ResultPath: '$.examined',
        Next: 'Decide',
      },
      Decide: {
        ...calling(functions.decide, { ...RECORD, 'images.$': '$.examined' }),
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

/** Every image by itself: what one of them does to its function is no fault of the others. */
function oneImage(examine: string, TimeoutSeconds: number) {
  return {
    ProcessorConfig: { Mode: 'INLINE' },
    StartAt: 'Examine',
    States: {
      Examine: {
        ...calling(examine, { ...RECORD, 'image.$': '$.image' }),
        TimeoutSeconds,
        ResultSelector: { 'slot.$': '$.Payload.slot', 'failed.$': '$.Payload.failed' },
        Retry: [CRASHES, ...RETRY],
        Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'NotExamined' }],
        End: true,
      },
      NotExamined: { Type: 'Pass', Parameters: { 'slot.$': '$.image.slot', failed: true }, End: true },
    },
  };
}

/** Waits for a person, who may decide before the time is up. */
function reviewed(review: string, days: number) {
  const question = { ...RECORD, 'token.$': '$$.Task.Token', 'question.$': '$.step.answer.question' };
  return {
    ...calling(review, question),
    Resource: `${INVOKE}.waitForTaskToken`,
    TimeoutSeconds: days * 86_400,
    Retry: [{ ErrorEquals: ['States.Timeout'], MaxAttempts: 0 }, ...RETRY],
    Catch: [{ ErrorEquals: ['States.Timeout'], ResultPath: null, Next: 'ApplyReview' }],
    ResultPath: null,
  };
}
