import * as z from 'zod/mini';

/** The function's environment, checked when the module loads: a wrong deployment fails at its first start, not later. */
export function readEnv<Env extends z.core.$ZodType>(schema: Env): z.output<Env> {
  const parsed = z.safeParse(schema, process.env);
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new Error(`Environment variables are missing or invalid: ${names}.`);
}

/** The name of a table or bucket, the address of a queue, the ARN of a key: never empty. */
export const resource = z.string().check(z.minLength(1));

/** A number that is set for a stage. */
export const positiveInteger = z.coerce.number().check(z.int(), z.positive());

/** A variable that may be absent, as on a developer's machine. An empty one counts as absent. */
export function variable(name: string): string | undefined {
  return process.env[name] || undefined;
}

/** The trace of the current invocation, if it is traced. */
export function traceId(): string | undefined {
  return /Root=([^;]+)/.exec(variable('_X_AMZN_TRACE_ID') ?? '')?.[1];
}
