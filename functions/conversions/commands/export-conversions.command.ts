/** Called by npm run export: writes the data that conversions hold of a tenant. */
import { runExport } from '#shared/export/export-command.s3';
import { CONVERSIONS_KINDS } from '../stored-kinds.ts';

await runExport({ name: 'conversions', table: 'ConversionsTable', kinds: CONVERSIONS_KINDS });
