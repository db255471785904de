/** AWS Step Functions behind the AWS endpoint. State machines come from templates only. */
import type { AwsRequest, AwsResponse, AwsService, NeededPermission } from '../endpoint/aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { jsonBody } from '../endpoint/json.ts';
import { jsonError } from '../endpoint/json-protocol.ts';
import { OPERATIONS, type PreparedCall } from './operations.ts';
import type { Store } from './starting.ts';

const TARGET = 'AWSStepFunctions.';
const HEADERS = { 'content-type': 'application/x-amz-json-1.0' };

export class StepFunctionsService implements AwsService {
  readonly signingName = 'states';
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  permissionsOf(request: AwsRequest): readonly NeededPermission[] {
    return this.prepared(request).permissions;
  }

  async handle(request: AwsRequest): Promise<AwsResponse> {
    try {
      return { status: 200, headers: HEADERS, body: JSON.stringify(this.prepared(request).answer()) };
    } catch (error) {
      if (!(error instanceof CallRefusal)) throw error;
      // InvalidToken is an answer of Step Functions, where the endpoint means a security token by it.
      const { status, code, message } = error;
      const headers = { ...HEADERS, 'x-amzn-errortype': code };
      return { status, headers, body: JSON.stringify({ __type: code, message }) };
    }
  }

  error(status: number, code: string, message: string): AwsResponse {
    return jsonError({ status, code, message });
  }

  private prepared({ headers, body }: AwsRequest): PreparedCall {
    const target = headers['x-amz-target'] ?? '';
    const name = target.startsWith(TARGET) ? target.slice(TARGET.length) : '';
    const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
    if (!operation) {
      throw new CallRefusal(
        400,
        'UnknownOperationException',
        `The local cloud does not have ${name || 'this call'} of Step Functions.`,
      );
    }
    return operation(this.store, jsonBody(body));
  }
}
