/** Serves CloudWatch Logs: the lines of functions and of the HTTP API, and queries of them. */
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
