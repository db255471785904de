/** The types of states. A field that is not listed is refused, because it would not be done. */
import { z } from 'zod';
import { isObject, type JsonObject } from '../../endpoint/json.ts';
import { type Condition, compileRule } from './choice.ts';
import {
  common,
  compiled,
  flow,
  handling,
  json,
  positiveSeconds,
  reference,
  result,
  resultPath,
  template,
} from './fields.ts';
import { INVOKE, INVOKE_WITH_TOKEN, LambdaParameters, QueueParameters, SEND_WITH_TOKEN } from './task-resource.ts';

const oneOf = (fields: readonly string[], { required }: { readonly required: boolean }) => ({
  check: (state: Readonly<Record<string, unknown>>) => {
    const given = fields.filter((field) => state[field] !== undefined).length;
    return given === 1 || (given === 0 && !required);
  },
  error: `${required ? 'exactly' : 'at most'} one of ${fields.join(', ')} must be given`,
});

const ONE_TIMEOUT = oneOf(['TimeoutSeconds', 'TimeoutSecondsPath'], { required: false });
const ONE_HEARTBEAT = oneOf(['HeartbeatSeconds', 'HeartbeatSecondsPath'], { required: false });
const ONE_ERROR = oneOf(['Error', 'ErrorPath'], { required: false });
const ONE_CAUSE = oneOf(['Cause', 'CausePath'], { required: false });
const ONE_CONCURRENCY = oneOf(['MaxConcurrency', 'MaxConcurrencyPath'], { required: false });
const ONE_PROCESSOR = oneOf(['ItemProcessor', 'Iterator'], { required: true });
const ONE_SELECTOR = oneOf(['ItemSelector', 'Parameters'], { required: false });

export interface Choice {
  readonly holds: Condition;
  readonly next: string;
}

const choice = compiled(json, (rule): Choice => {
  if (!isObject(rule) || typeof rule['Next'] !== 'string') throw new Error('a choice needs Next');
  const { Next: next, ...comparison } = rule;
  const unsupported = ['Assign', 'Condition', 'Output'].filter((name) => name in comparison);
  if (unsupported.length > 0) throw new Error(`${unsupported.join(', ')}: the local cloud does not support it`);
  return { holds: compileRule(comparison), next };
});

const task = {
  Type: z.literal('Task'),
  ...common,
  ...flow,
  ...handling,
  ...result,
  TimeoutSeconds: positiveSeconds.optional(),
  TimeoutSecondsPath: reference.optional(),
  HeartbeatSeconds: positiveSeconds.optional(),
  HeartbeatSecondsPath: reference.optional(),
};

const Task = z
  .discriminatedUnion(
    'Resource',
    [
      z.strictObject({ ...task, Resource: z.enum([INVOKE, INVOKE_WITH_TOKEN]), Parameters: LambdaParameters }),
      z.strictObject({ ...task, Resource: z.literal(SEND_WITH_TOKEN), Parameters: QueueParameters }),
    ],
    { error: `the local cloud supports ${INVOKE}, ${INVOKE_WITH_TOKEN} and ${SEND_WITH_TOKEN} only` },
  )
  .refine(ONE_TIMEOUT.check, { error: ONE_TIMEOUT.error })
  .refine(ONE_HEARTBEAT.check, { error: ONE_HEARTBEAT.error })
  .refine(({ HeartbeatSeconds = 0, TimeoutSeconds = Infinity }) => HeartbeatSeconds < TimeoutSeconds, {
    error: 'HeartbeatSeconds must be smaller than TimeoutSeconds',
  });

const Fail = z
  .strictObject({
    Type: z.literal('Fail'),
    Comment: z.string().optional(),
    QueryLanguage: z.literal('JSONPath').optional(),
    Error: z.string().optional(),
    ErrorPath: reference.optional(),
    Cause: z.string().optional(),
    CausePath: reference.optional(),
  })
  .refine(ONE_ERROR.check, { error: ONE_ERROR.error })
  .refine(ONE_CAUSE.check, { error: ONE_CAUSE.error });

/** An item processor is a machine of its own, which `definition.ts` reads. */
const machine = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value));

const Map = z
  .strictObject({
    Type: z.literal('Map'),
    ...common,
    ...flow,
    ...handling,
    ...result,
    ItemsPath: reference.optional(),
    ItemSelector: template.optional(),
    Parameters: template.optional(),
    ItemProcessor: machine.optional(),
    Iterator: machine.optional(),
    MaxConcurrency: z.int().min(0).optional(),
    MaxConcurrencyPath: reference.optional(),
  })
  .refine(ONE_PROCESSOR.check, { error: ONE_PROCESSOR.error })
  .refine(ONE_SELECTOR.check, { error: ONE_SELECTOR.error })
  .refine(ONE_CONCURRENCY.check, { error: ONE_CONCURRENCY.error });

export const STATES = {
  Pass: z.strictObject({
    Type: z.literal('Pass'),
    ...common,
    ...flow,
    Parameters: template.optional(),
    Result: json.optional(),
    ResultPath: resultPath,
  }),
  Task,
  Choice: z.strictObject({
    Type: z.literal('Choice'),
    ...common,
    Choices: z.array(choice).min(1),
    Default: z.string().optional(),
  }),
  Succeed: z.strictObject({ Type: z.literal('Succeed'), ...common }),
  Fail,
  Map,
} as const;

export type PassState = z.output<typeof STATES.Pass>;
export type TaskState = z.output<typeof Task>;
export type ChoiceState = z.output<typeof STATES.Choice>;
export type SucceedState = z.output<typeof STATES.Succeed>;
export type FailState = z.output<typeof Fail>;
export type MapState = z.output<typeof Map>;
