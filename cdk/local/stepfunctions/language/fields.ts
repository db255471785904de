/** Shapes of the fields of states. Each turns the text of a definition into what the interpreter evaluates. */
import { z } from 'zod';
import type { Json } from '../../endpoint/json.ts';
import { compilePath, compilePlacement } from './path.ts';
import { compileTemplate } from './template.ts';

/** A schema whose errors are those that `compile` throws. */
export function compiled<Source, Result>(source: z.ZodType<Source>, compile: (source: Source) => Result) {
  return source.transform((value, context) => {
    try {
      return compile(value);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  });
}

const text = z.string();
export const json = z.json() as z.ZodType<Json>;
export const path = compiled(text, compilePath);
export const template = compiled(json, compileTemplate);

const SECONDS_MAX = 99_999_999;
export const positiveSeconds = z.int().min(1).max(SECONDS_MAX);

/** Null keeps the input and drops the result. */
export const resultPath = compiled(text, compilePlacement)
  .nullable()
  .default(() => compilePlacement('$'));

const Retrier = z
  .strictObject({
    ErrorEquals: z.array(z.string()).min(1),
    IntervalSeconds: positiveSeconds.default(1),
    MaxAttempts: z.int().min(0).max(SECONDS_MAX).default(3),
    BackoffRate: z.number().min(1).default(2),
    MaxDelaySeconds: z.int().min(1).max(31_622_400).optional(),
    JitterStrategy: z.enum(['FULL', 'NONE']).default('NONE'),
    Comment: z.string().optional(),
  })
  .refine(
    ({ MaxDelaySeconds, IntervalSeconds }) => MaxDelaySeconds === undefined || MaxDelaySeconds > IntervalSeconds,
    {
      error: 'MaxDelaySeconds must be greater than IntervalSeconds',
    },
  );

const Catcher = z.strictObject({
  ErrorEquals: z.array(z.string()).min(1),
  Next: z.string(),
  ResultPath: resultPath,
  Comment: z.string().optional(),
});

export type Retrier = z.output<typeof Retrier>;

/** States.ALL stands alone and last, because everything after it could never match. */
const wildcardLast = {
  check: (handlers: readonly { readonly ErrorEquals: readonly string[] }[]) =>
    handlers.every(
      ({ ErrorEquals }, at) =>
        !ErrorEquals.includes('States.ALL') || (ErrorEquals.length === 1 && at === handlers.length - 1),
    ),
  error: 'States.ALL must stand alone, in the last entry',
};

export const common = { Comment: z.string().optional(), QueryLanguage: z.literal('JSONPath').optional() };

/** A state continues with another one, or ends. */
export const flow = { Next: z.string().optional(), End: z.boolean().optional() };

export const handling = {
  Retry: z.array(Retrier).refine(wildcardLast.check, { error: wildcardLast.error }).default([]),
  Catch: z.array(Catcher).refine(wildcardLast.check, { error: wildcardLast.error }).default([]),
};

export const result = { ResultSelector: template.optional(), ResultPath: resultPath };
