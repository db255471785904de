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
  path,
  positiveSeconds,
  result,
  resultPath,
  template,
} from './fields.ts';
import { INVOKE, INVOKE_WITH_TOKEN, LambdaParameters, QueueParameters, SEND_WITH_TOKEN } from './task-resource.ts';

export interface Choice {
  readonly holds: Condition;
  readonly next: string;
}

const choice = compiled(json, (rule): Choice => {
  if (!isObject(rule) || typeof rule['Next'] !== 'string') throw new Error('a choice needs Next');
  const { Next: next, ...comparison } = rule;
  return { holds: compileRule(comparison), next };
});

const task = {
  Type: z.literal('Task'),
  ...common,
  ...flow,
  ...handling,
  ...result,
  TimeoutSeconds: positiveSeconds.optional(),
};

const Task = z.discriminatedUnion(
  'Resource',
  [
    z.strictObject({ ...task, Resource: z.enum([INVOKE, INVOKE_WITH_TOKEN]), Parameters: LambdaParameters }),
    z.strictObject({ ...task, Resource: z.literal(SEND_WITH_TOKEN), Parameters: QueueParameters }),
  ],
  { error: `the local cloud has only ${INVOKE}, ${INVOKE_WITH_TOKEN} and ${SEND_WITH_TOKEN}` },
);

/** An item processor is a machine of its own, which `definition.ts` reads. */
const machine = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value));

const Map = z.strictObject({
  Type: z.literal('Map'),
  ...common,
  ...flow,
  ...handling,
  ...result,
  ItemsPath: path.optional(),
  ItemSelector: template.optional(),
  ItemProcessor: machine,
  MaxConcurrency: z.int().min(0).default(0),
});

export const STATES = {
  Pass: z.strictObject({
    Type: z.literal('Pass'),
    ...common,
    ...flow,
    Parameters: template.optional(),
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
  Map,
} as const;

export type PassState = z.output<typeof STATES.Pass>;
export type TaskState = z.output<typeof Task>;
export type ChoiceState = z.output<typeof STATES.Choice>;
export type SucceedState = z.output<typeof STATES.Succeed>;
export type MapState = z.output<typeof Map>;
