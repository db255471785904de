/** AWS Step Functions behind the AWS endpoint. State machines come from templates only. */
import { JsonService } from '../endpoint/json-service.ts';
import { OPERATIONS } from './operations.ts';
import type { Store } from './starting.ts';

const PROTOCOL = {
  signingName: 'states',
  product: 'Step Functions',
  target: 'AWSStepFunctions.',
  version: '1.0',
} as const;

export class StepFunctionsService extends JsonService<Store> {
  constructor(store: Store) {
    super(PROTOCOL, OPERATIONS, store);
  }
}
