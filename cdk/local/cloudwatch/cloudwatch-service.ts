/** CloudWatch behind the AWS endpoint: the alarms and metrics, over the JSON protocol of current SDKs and the AWS CLI. */
import { gunzipSync } from 'node:zlib';
import type { AwsRequest } from '../endpoint/aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { type JsonObject, jsonBody } from '../endpoint/json.ts';
import { JsonService } from '../endpoint/json-service.ts';
import { type CloudWatchParts, OPERATIONS } from './operations.ts';

/** CloudWatch takes 1 MB; a body that unpacks to more is refused before it fills the memory. */
const BODY_BYTES_MAX = 1024 * 1024;

const PROTOCOL = {
  signingName: 'monitoring',
  product: 'CloudWatch',
  target: 'GraniteServiceVersion20100801.',
  version: '1.0',
  queryCodeOf: (code: string) => code.replace(/^(Invalid.*|Missing.*)Exception$/, '$1'),
} as const;

export class CloudWatchService extends JsonService<CloudWatchParts> {
  constructor(parts: CloudWatchParts) {
    super(PROTOCOL, OPERATIONS, parts);
  }

  protected override bodyOf({ body, headers }: AwsRequest): JsonObject {
    return jsonBody(headers['content-encoding'] === 'gzip' ? unpacked(body) : body);
  }
}

function unpacked(body: Buffer): Buffer {
  try {
    return gunzipSync(body, { maxOutputLength: BODY_BYTES_MAX });
  } catch {
    throw new CallRefusal(400, 'SerializationException', 'The body is not what its content-encoding says.');
  }
}
