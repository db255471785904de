/** Lambda behind the AWS endpoint: calling functions. */
import { randomUUID } from 'node:crypto';
import type { AwsRequest, AwsResponse, AwsService, NeededPermission } from '../endpoint/aws-service.ts';
import type { AsyncInvocations } from './async-invocations.ts';
import type { FunctionDefinition } from './function-definition.ts';
import type { Functions } from './functions.ts';

const PATH = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

export class LambdaService implements AwsService {
  readonly signingName = 'lambda';
  private readonly functions: Functions;
  private readonly asynchronous: AsyncInvocations;

  constructor(functions: Functions, asynchronous: AsyncInvocations) {
    this.functions = functions;
    this.asynchronous = asynchronous;
  }

  permissionsOf(request: AwsRequest): readonly NeededPermission[] {
    return [{ action: 'lambda:InvokeFunction', resource: this.target(request).definition?.arn ?? '*' }];
  }

  async handle(request: AwsRequest): Promise<AwsResponse> {
    const { name, definition } = this.target(request);
    if (name === undefined || request.method !== 'POST')
      return this.error(501, 'NotImplemented', 'The local cloud has only Invoke of Lambda.');
    if (!definition) return this.error(404, 'ResourceNotFoundException', `Function not found: ${name}`);
    return this.invoke(definition, request);
  }

  error(status: number, code: string, message: string): AwsResponse {
    const name = code === 'AccessDenied' ? 'AccessDeniedException' : code;
    const { body, headers } = json(status, { Type: status < 500 ? 'User' : 'Service', Message: message, message });
    return { status, body, headers: { ...headers, 'x-amzn-errortype': name } };
  }

  private async invoke(definition: FunctionDefinition, { headers, body }: AwsRequest): Promise<AwsResponse> {
    const payload = body.length === 0 ? '{}' : body.toString('utf8');
    if (!isJson(payload)) {
      return this.error(400, 'InvalidRequestContentException', 'Could not parse request body into json');
    }
    switch (headers['x-amz-invocation-type'] ?? 'RequestResponse') {
      case 'DryRun':
        return { status: 204, headers: {}, body: '' };
      case 'Event':
        return this.asynchronous.accept(definition.arn, payload) === 'accepted'
          ? { status: 202, headers: { 'x-amzn-requestid': randomUUID() }, body: '' }
          : this.error(
              413,
              'RequestTooLargeException',
              'Request must be smaller than 1048576 bytes for the InvokeFunction operation',
            );
      default:
        return this.invokeAndWait(definition, payload);
    }
  }

  private async invokeAndWait(definition: FunctionDefinition, payload: string): Promise<AwsResponse> {
    const invocation = await this.functions.invoke(definition.arn, payload);
    const headers = {
      'content-type': 'application/json',
      'x-amzn-requestid': randomUUID(),
      'x-amz-executed-version': '$LATEST',
    };
    if (invocation.kind === 'throttled') return this.error(429, 'TooManyRequestsException', 'Rate Exceeded.');
    if (invocation.kind === 'too-large') return this.error(413, 'RequestTooLargeException', invocation.message);
    if (invocation.kind === 'result') return { status: 200, headers, body: invocation.payload };
    const failed = { ...headers, 'x-amz-function-error': 'Unhandled' };
    return { status: 200, headers: failed, body: JSON.stringify(invocation.error) };
  }

  private target({ path }: AwsRequest) {
    const [, encoded] = PATH.exec(path) ?? [];
    const name = encoded === undefined ? undefined : decodeURIComponent(encoded);
    const definition = this.functions.all.find((one) => one.name === name) ?? this.functions.byArn(name ?? '');
    return { name, definition };
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function json(status: number, body: object): AwsResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
