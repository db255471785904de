/** CloudWatch behind the AWS endpoint: the alarms and metrics, over the JSON protocol of current SDKs and the AWS CLI. */
import { gunzipSync } from 'node:zlib';
import type { AwsRequest, AwsResponse, AwsService, NeededPermission } from '../endpoint/aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { jsonBody } from '../endpoint/json.ts';
import { jsonError } from '../endpoint/json-protocol.ts';
import { type CloudWatchParts, OPERATIONS, type PreparedCall } from './operations.ts';

const TARGET = 'GraniteServiceVersion20100801.';
/** CloudWatch takes 1 MB; a body that unpacks to more is refused before it fills the memory. */
const BODY_BYTES_MAX = 1024 * 1024;

export class CloudWatchService implements AwsService {
  readonly signingName = 'monitoring';
  private readonly parts: CloudWatchParts;

  constructor(parts: CloudWatchParts) {
    this.parts = parts;
  }

  permissionsOf(request: AwsRequest): readonly NeededPermission[] {
    return this.prepared(request).permissions;
  }

  async handle(request: AwsRequest): Promise<AwsResponse> {
    const body = JSON.stringify(this.prepared(request).answer());
    return { status: 200, headers: { 'content-type': 'application/x-amz-json-1.0' }, body };
  }

  error(status: number, code: string, message: string): AwsResponse {
    const response = jsonError({ status, code, message });
    const fault = status < 500 ? 'Sender' : 'Receiver';
    // The names of the older protocol, by which SDKs still call these errors.
    const name = code.replace(/^(Invalid.*|Missing.*)Exception$/, '$1');
    return { ...response, headers: { ...response.headers, 'x-amzn-query-error': `${name};${fault}` } };
  }

  private prepared({ headers, body }: AwsRequest): PreparedCall {
    const target = headers['x-amz-target'] ?? '';
    const name = target.startsWith(TARGET) ? target.slice(TARGET.length) : '';
    const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
    if (!operation) {
      const what = name || 'this call: CloudWatch is spoken here over its JSON protocol';
      throw new CallRefusal(400, 'NotImplemented', `The local cloud does not have ${what}.`);
    }
    return operation(this.parts, jsonBody(unpacked(body, headers['content-encoding'])));
  }
}

function unpacked(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding !== 'gzip') return body;
  try {
    return gunzipSync(body, { maxOutputLength: BODY_BYTES_MAX });
  } catch {
    throw new CallRefusal(400, 'SerializationException', 'The body is not what its content-encoding says.');
  }
}
