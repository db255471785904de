/** AWS Secrets Manager behind the AWS endpoint. Secrets come from templates only. */
import { JsonService } from '../endpoint/json-service.ts';
import { OPERATIONS, type Store } from './operations.ts';

const PROTOCOL = {
  signingName: 'secretsmanager',
  product: 'Secrets Manager',
  target: 'secretsmanager.',
  version: '1.1',
} as const;

export class SecretsManagerService extends JsonService<Store> {
  constructor(store: Store) {
    super(PROTOCOL, OPERATIONS, store);
  }
}
