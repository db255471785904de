import { CfnOutput, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { PublicApi } from './constructs/public-api.ts';
import type { DataStack } from './data-stack.ts';
import { Accounts } from './domains/accounts.ts';
import { Downloads } from './domains/downloads.ts';
import { Webhooks } from './domains/webhooks/webhooks.ts';

export interface ServiceStackProps {
  readonly data: DataStack;
}

/** Everything that can be torn down and built again: the API, functions, queues and alarms. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { data }: ServiceStackProps) {
    super(scope, id);
    const { managers, managersClient } = data.accounts;
    const api = new PublicApi(this, 'PublicApi', {
      managers: { issuer: managers.userPoolProviderUrl, audience: managersClient.userPoolClientId },
    });
    new Accounts(this, 'Accounts', { api, data: data.accounts });
    new Downloads(this, 'Downloads', { api, data: data.downloads, accounts: data.accounts });
    const events = new EventBus(this, 'Events', { description: 'What the domains announce, and outside systems.' });
    new Webhooks(this, 'Webhooks', { api, data: data.webhooks, events });

    // What the commands of package.json look up, locally and deployed.
    new CfnOutput(this, 'ApiUrl', { value: api.url });
    new CfnOutput(this, 'AccountsTable', { value: data.accounts.table.tableName });
    new CfnOutput(this, 'DownloadsTable', { value: data.downloads.table.tableName });
    new CfnOutput(this, 'WebhooksTable', { value: data.webhooks.table.tableName });
    new CfnOutput(this, 'EventBus', { value: events.eventBusName });
    new CfnOutput(this, 'ImportsBucket', { value: data.downloads.imports.bucketName });
    new CfnOutput(this, 'ManagersPool', { value: managers.userPoolId });
    new CfnOutput(this, 'ManagersClient', { value: managersClient.userPoolClientId });
  }
}
