import * as z from 'zod';

export const Issue = z.strictObject({
  path: z.string().meta({ description: 'JSON pointer into the record.', examples: ['/gtin'] }),
  severity: z.enum(['error', 'warning']),
  code: z.string().meta({ description: 'What is wrong, stable for programs.', examples: ['gtin.check-digit'] }),
  detail: z.string().optional().meta({ description: 'What is wrong, and what to do, for people.' }),
  suggestion: z
    .string()
    .optional()
    .meta({ description: 'A value to put in its place.', examples: ['4006381333931'] }),
});
export type Issue = z.output<typeof Issue>;

/** Creates an issue about the value at `path`, without the empty members of `rest`. */
export function issue(severity: Issue['severity'], path: string, code: string, said: Partial<Issue> = {}): Issue {
  const { detail, suggestion } = said;
  return {
    path,
    severity,
    code,
    ...(detail !== undefined && { detail }),
    ...(suggestion !== undefined && { suggestion }),
  };
}
