import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { AccountsData } from './domains/accounts.ts';
import { DownloadsData } from './domains/downloads.ts';
import { WebhooksData } from './domains/webhooks/webhooks-data.ts';

/** Everything that must outlive a deployment. */
export class DataStack extends Stack {
  readonly accounts: AccountsData;
  readonly downloads: DownloadsData;
  readonly webhooks: WebhooksData;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.accounts = new AccountsData(this, 'Accounts');
    this.downloads = new DownloadsData(this, 'Downloads');
    this.webhooks = new WebhooksData(this, 'Webhooks');
  }
}
