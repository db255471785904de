/** Invokes the function of a task as the role of the machine, and names errors as Step Functions does. */
import { randomUUID } from 'node:crypto';
import { type Json, type JsonObject, textIn } from '../endpoint/json.ts';
import type { Roles } from '../iam/roles.ts';
import type { Functions, Invocation } from '../lambda/functions.ts';

export type TaskAnswer =
  | { readonly kind: 'succeeded'; readonly output: Json }
  | { readonly kind: 'failed'; readonly error: string; readonly cause: string };

export interface LambdaAccess {
  readonly functions: Functions;
  readonly roles: Roles;
}

export interface LambdaCall {
  readonly parameters: JsonObject;
  /** The role of the machine. */
  readonly roleArn: string;
}

export async function invokeFunction(
  { functions, roles }: LambdaAccess,
  { parameters, roleArn }: LambdaCall,
): Promise<TaskAnswer> {
  const name = textIn(parameters, 'FunctionName') ?? '';
  const definition = functions.all.find((one) => one.name === name) ?? functions.byArn(name);
  const resource = definition?.arn ?? name;
  if (!roles.allows(roleArn, 'lambda:InvokeFunction', resource)) {
    const cause = `User: ${roleArn} is not authorized to perform: lambda:InvokeFunction on resource: ${resource} because no identity-based policy allows the lambda:InvokeFunction action (Service: Lambda, Status Code: 403)`;
    return failed('Lambda.AWSLambdaException', cause);
  }
  if (!definition) {
    return failed(
      'Lambda.ResourceNotFoundException',
      `Function not found: ${name} (Service: Lambda, Status Code: 404)`,
    );
  }
  return answerOf(await functions.invoke(definition.arn, JSON.stringify(parameters['Payload'] ?? {})));
}

function answerOf(invocation: Invocation): TaskAnswer {
  switch (invocation.kind) {
    case 'throttled':
      return failed('Lambda.TooManyRequestsException', 'Rate Exceeded. (Service: Lambda, Status Code: 429)');
    case 'too-large':
      return failed('Lambda.RequestTooLargeException', `${invocation.message} (Service: Lambda, Status Code: 413)`);
    case 'error':
      return failed(invocation.error.errorType, JSON.stringify(invocation.error));
    default: {
      const Payload: Json = JSON.parse(invocation.payload);
      const SdkResponseMetadata = { RequestId: randomUUID() };
      return {
        kind: 'succeeded',
        output: { ExecutedVersion: '$LATEST', Payload, SdkResponseMetadata, StatusCode: 200 },
      };
    }
  }
}

const failed = (error: string, cause: string): TaskAnswer => ({ kind: 'failed', error, cause });
