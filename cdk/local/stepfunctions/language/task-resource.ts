/** The integrations that a Task may name, and what they take. */
import { z } from 'zod';
import { compiled, json } from './fields.ts';
import { compileTemplate } from './template.ts';

export const INVOKE = 'arn:aws:states:::lambda:invoke';
export const INVOKE_WITH_TOKEN = `${INVOKE}.waitForTaskToken`;
export const SEND_WITH_TOKEN = 'arn:aws:states:::sqs:sendMessage.waitForTaskToken';

const Invocation = z
  .strictObject({ FunctionName: z.string(), Payload: json.optional(), 'Payload.$': z.string().optional() })
  .refine((given) => given.Payload === undefined || given['Payload.$'] === undefined, {
    error: 'Payload is given twice',
  });

/** The parameters of the Lambda integrations. */
export const LambdaParameters = compiled(Invocation, (given) => ({
  functionName: given.FunctionName,
  read: compileTemplate(given),
}));

const Sending = z.strictObject({
  QueueUrl: z.string(),
  MessageBody: json,
  MessageGroupId: z.string().optional(),
  'MessageGroupId.$': z.string().optional(),
});

/** The parameters of the SQS integration. */
export const QueueParameters = compiled(Sending, (given) => ({
  functionName: undefined,
  read: compileTemplate(given),
}));
