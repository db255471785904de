import type { z } from 'zod';
import { CallRefusal } from './call-refusal.ts';
import type { JsonObject } from './json.ts';

/** The members of a request, checked. @param code of the error that the service answers to a bad request. */
export function parsedRequest<Schema extends z.ZodType>(
  schema: Schema,
  body: JsonObject,
  code: string,
): z.output<Schema> {
  const { data, error } = schema.safeParse(body);
  if (!error) return data;
  const problems = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${[...issue.path, key].join('.')}: the local cloud does not have it`)
      : [[issue.path.join('.'), issue.message].filter(Boolean).join(': ')],
  );
  throw new CallRefusal(400, code, problems.join('. '));
}
