import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { DomainTable } from '../constructs/domain-table.ts';
import { KeySecrets } from '../constructs/key-secrets.ts';
import { PrivateBucket } from '../constructs/private-bucket.ts';
import { TableBackups } from '../constructs/table-backups.ts';
import { AccountsData } from '../domains/accounts/accounts-data.ts';
import { ConsoleData } from '../domains/console/console-data.ts';
import { ConversionsData } from '../domains/conversions/conversions-data.ts';
import { ImagesData } from '../domains/images/images-data.ts';
import { PlacesData } from '../domains/places/places-data.ts';
import { RecordsData } from '../domains/records/records-data.ts';
import { WebhooksData } from '../domains/webhooks/webhooks-data.ts';
import { type DomainName, settingsOf } from '../settings.ts';
import { keepExported } from './permanent-exports.ts';

/** Everything that must outlive a deployment. Domains that a stage does not have are left out. */
export class DataStack extends Stack {
  readonly accounts: AccountsData;
  readonly #records: RecordsData | undefined;
  readonly #webhooks: WebhooksData | undefined;
  readonly #conversions: ConversionsData | undefined;
  readonly #places: PlacesData | undefined;
  readonly #images: ImagesData | undefined;
  readonly #console: ConsoleData | undefined;

  constructor(scope: Construct, id: string, props: StackProps = {}) {
    super(scope, id, props);
    const { domains, backupCopyTo } = settingsOf(this);
    this.accounts = new AccountsData(this, 'Accounts');
    this.#records = domains.includes('records') ? new RecordsData(this, 'Records') : undefined;
    this.#webhooks = domains.includes('webhooks') ? new WebhooksData(this, 'Webhooks') : undefined;
    this.#conversions = domains.includes('conversions') ? new ConversionsData(this, 'Conversions') : undefined;
    this.#places = domains.includes('places') ? new PlacesData(this, 'Places') : undefined;
    this.#images = domains.includes('images') ? new ImagesData(this, 'Images') : undefined;
    this.#console = domains.includes('console') ? new ConsoleData(this, 'Console') : undefined;
    for (const one of this.node.findAll()) {
      if (one instanceof DomainTable) {
        keepExported(this, [one.tableName, one.tableArn, one.hasStream ? one.tableStreamArn : undefined]);
      }
      if (one instanceof KeySecrets) keepExported(this, [one.secretArn]);
      if (one instanceof PrivateBucket) keepExported(this, [one.bucketName, one.bucketArn]);
    }
    if (backupCopyTo !== '') {
      const tables = this.node.findAll().filter((one) => one instanceof DomainTable);
      new TableBackups(this, 'Backups', { tables, copyTo: backupCopyTo });
    }
    const { managers, managersClient, consoleClient } = this.accounts;
    keepExported(this, [managers.userPoolProviderUrl, managersClient.userPoolClientId]);
    keepExported(this, [managers.userPoolId, managers.userPoolArn, consoleClient.userPoolClientId]);
    keepExported(this, [this.#webhooks?.secretsKeyArn]);
  }

  get records(): RecordsData {
    return this.#records ?? missing('records');
  }

  get webhooks(): WebhooksData {
    return this.#webhooks ?? missing('webhooks');
  }

  get conversions(): ConversionsData {
    return this.#conversions ?? missing('conversions');
  }

  get places(): PlacesData {
    return this.#places ?? missing('places');
  }

  get images(): ImagesData {
    return this.#images ?? missing('images');
  }

  get console(): ConsoleData {
    return this.#console ?? missing('console');
  }
}

function missing(domain: DomainName): never {
  throw new Error(`The stage has no domain ${domain}.`);
}
