import * as z from 'zod';
import type { ErrorShape } from './interface.ts';

const ProblemError = z
  .object({ pointer: z.string(), detail: z.string() })
  .meta({ id: 'ProblemError', description: 'One fault of the input, and its JSON pointer.' });

const Problem = z
  .object({
    type: z.string().meta({ description: 'The path of the page about this code.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'What is wrong and what to do, for people.' }),
    instance: z.string().meta({ description: 'The request, as log lines name it.' }),
    code: z.string().meta({ description: 'Stable: decide by it.' }),
    errors: z.array(ProblemError).optional().meta({ description: 'All faults of the input.' }),
  })
  .loose()
  .meta({ id: 'Problem', description: 'Problem details (RFC 9457). Some codes have further members.' });

/** The errors of `/v1` and `/manage/v1`. */
export const PROBLEM_DETAILS: ErrorShape = {
  mediaType: 'application/problem+json',
  schema: (components) => components.schemaOf(Problem, 'output'),
};
