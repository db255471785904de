/** Called by npm run export: writes what accounts hold of a tenant, with the people of its user pool. */
import { runExport } from '#shared/export/export-command.s3';
import { ACCOUNTS_KINDS } from '../stored-kinds.ts';
import { peopleOf } from './people.cognito.ts';

await runExport({ name: 'accounts', table: 'AccountsTable', kinds: ACCOUNTS_KINDS, others: peopleOf });
