/** The members of Step Functions' requests. What is not listed for an operation is refused, because it would not be done. */
import { z } from 'zod';

const executionArn = z.string().min(1).max(256);
const stateMachineArn = z.string().min(1).max(256);
const taskToken = z.string().min(1).max(2048);
const paging = { maxResults: z.int().min(0).max(1000).default(0), nextToken: z.string().min(1).max(1024).optional() };
const error = z.string().max(256).optional();
const cause = z.string().max(32_768).optional();

export const REQUESTS = {
  StartExecution: z.strictObject({
    stateMachineArn,
    name: z.string().optional(),
    input: z.string().default('{}'),
    traceHeader: z.string().optional(),
  }),
  StopExecution: z.strictObject({ executionArn, error, cause }),
  DescribeExecution: z.strictObject({ executionArn, includedData: z.literal('ALL_DATA').optional() }),
  ListExecutions: z.strictObject({
    stateMachineArn,
    statusFilter: z.enum(['RUNNING', 'SUCCEEDED', 'FAILED', 'ABORTED']).optional(),
    ...paging,
  }),
  GetExecutionHistory: z.strictObject({
    executionArn,
    reverseOrder: z.boolean().default(false),
    includeExecutionData: z.literal(true).optional(),
    ...paging,
  }),
  ListStateMachines: z.strictObject(paging),
  SendTaskSuccess: z.strictObject({ taskToken, output: z.string() }),
  SendTaskFailure: z.strictObject({ taskToken, error, cause }),
};
