/** Called by npm run export: writes what webhooks hold of a tenant. */
import { runExport } from '#shared/export/export-command.s3';
import { WEBHOOKS_KINDS } from '../stored-kinds.ts';

await runExport({ name: 'webhooks', table: 'WebhooksTable', kinds: WEBHOOKS_KINDS });
