/** Writes the webhooks data of a tenant. `npm run export` calls it. */
import { runExport } from '#shared/export/export-command.s3';
import { WEBHOOKS_KINDS } from '../stored-kinds.ts';

await runExport({ name: 'webhooks', table: 'WebhooksTable', kinds: WEBHOOKS_KINDS });
