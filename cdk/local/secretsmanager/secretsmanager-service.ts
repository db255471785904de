/** AWS Secrets Manager behind the AWS endpoint. Secrets come from templates only. */
import type { AwsRequest, AwsResponse, AwsService, NeededPermission } from '../endpoint/aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { jsonBody } from '../endpoint/json.ts';
import { jsonError } from '../endpoint/json-protocol.ts';
import { OPERATIONS, type PreparedCall, type Store } from './operations.ts';

const TARGET = 'secretsmanager.';

export class SecretsManagerService implements AwsService {
  readonly signingName = 'secretsmanager';
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  permissionsOf(request: AwsRequest): readonly NeededPermission[] {
    return this.prepared(request).permissions;
  }

  async handle(request: AwsRequest): Promise<AwsResponse> {
    const body = JSON.stringify(this.prepared(request).answer());
    return { status: 200, headers: { 'content-type': 'application/x-amz-json-1.1' }, body };
  }

  error(status: number, code: string, message: string): AwsResponse {
    return jsonError({ status, code, message, version: '1.1' });
  }

  private prepared({ headers, body }: AwsRequest): PreparedCall {
    const target = headers['x-amz-target'] ?? '';
    const name = target.startsWith(TARGET) ? target.slice(TARGET.length) : '';
    const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
    if (!operation) {
      throw new CallRefusal(
        400,
        'NotImplemented',
        `The local cloud does not have ${name || 'this call'} of Secrets Manager.`,
      );
    }
    return operation(this.store, jsonBody(body));
  }
}
