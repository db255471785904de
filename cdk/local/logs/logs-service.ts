/** CloudWatch Logs behind the AWS endpoint: what functions and the HTTP API have logged, and queries of it. */
import { JsonService } from '../endpoint/json-service.ts';
import { type LogsParts, OPERATIONS } from './operations.ts';

const PROTOCOL = {
  signingName: 'logs',
  product: 'CloudWatch Logs',
  target: 'Logs_20140328.',
  version: '1.1',
} as const;

export class LogsService extends JsonService<LogsParts> {
  constructor(parts: LogsParts) {
    super(PROTOCOL, OPERATIONS, parts);
  }
}
