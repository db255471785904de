/** The integrations that a Task may name, and what they take. */
import { z } from 'zod';
import { compiled, json } from './fields.ts';
import { compileTemplate } from './template.ts';

export const INVOKE = 'arn:aws:states:::lambda:invoke';
export const INVOKE_WITH_TOKEN = `${INVOKE}.waitForTaskToken`;
export const SEND_WITH_TOKEN = 'arn:aws:states:::sqs:sendMessage.waitForTaskToken';

const Members = z
  .strictObject({
    FunctionName: z.string().optional(),
    'FunctionName.$': z.string().optional(),
    Payload: json.optional(),
    'Payload.$': z.string().optional(),
    InvocationType: z
      .literal('RequestResponse', { error: 'the local cloud waits for the answer of every function' })
      .optional(),
    Qualifier: z.literal('$LATEST', { error: 'the local cloud has no versions of functions' }).optional(),
  })
  .refine((given) => (given.FunctionName === undefined) !== (given['FunctionName.$'] === undefined), {
    error: 'FunctionName is missing or given twice',
  })
  .refine((given) => given.Payload === undefined || given['Payload.$'] === undefined, {
    error: 'Payload is given twice',
  });

/** The parameters of the Lambda integrations; `functionName` when it does not depend on the execution. */
export const LambdaParameters = compiled(Members, (given) => ({
  functionName: given.FunctionName,
  read: compileTemplate(given),
}));

const Sending = z
  .strictObject({
    QueueUrl: z.string(),
    MessageBody: json.optional(),
    'MessageBody.$': z.string().optional(),
    MessageGroupId: z.string().optional(),
    'MessageGroupId.$': z.string().optional(),
  })
  .refine((given) => (given.MessageBody === undefined) !== (given['MessageBody.$'] === undefined), {
    error: 'MessageBody is missing or given twice',
  });

/** The parameters of the SQS integration. */
export const QueueParameters = compiled(Sending, (given) => ({
  functionName: undefined,
  read: compileTemplate(given),
}));
