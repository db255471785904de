import { Construct } from 'constructs';
import type { ConversionsKey, ConversionsList } from '../../../functions/conversions/table-keys.ts';
import { DomainTable } from '../../constructs/domain-table.ts';
import { KeySecrets } from '../../constructs/key-secrets.ts';

/** The retained resources: the meter of every account, its credentials, payments and invoices. */
export class ConversionsData extends Construct {
  readonly table = new DomainTable<ConversionsKey, ConversionsList>(this, 'Table', {
    hasStream: true,
  });

  /** Proves conversion keys, OAuth clients and their access tokens. */
  readonly keySecrets = new KeySecrets(this, 'ConversionKeySecrets', 'conversion keys, OAuth clients and their tokens');
}
