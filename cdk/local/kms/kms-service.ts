/** AWS KMS behind the AWS endpoint, as far as symmetric keys go. Keys come from templates only. */
import { JsonService } from '../endpoint/json-service.ts';
import { OPERATIONS, type Store } from './operations.ts';

const PROTOCOL = { signingName: 'kms', product: 'KMS', target: 'TrentService.', version: '1.1' } as const;

export class KmsService extends JsonService<Store> {
  constructor(store: Store) {
    super(PROTOCOL, OPERATIONS, store);
  }
}
