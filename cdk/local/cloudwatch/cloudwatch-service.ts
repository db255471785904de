/** CloudWatch behind the AWS endpoint: the alarms and metrics, over the JSON protocol of current SDKs and the AWS CLI. */
import { JsonService } from '../endpoint/json-service.ts';
import { type CloudWatchParts, OPERATIONS } from './operations.ts';

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
}
