/** npm run restore: copies items from a table that point-in-time recovery has made back into the table of the stage. */
import { runCommandLine } from '#shared/command/command';
import { STAGE_OPTION } from '#shared/command/command-line';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { dynamoDbClient } from '#shared/table/table.dynamodb';
import { DOMAIN_TABLES } from './domain-tables.ts';
import { restoreItems } from './restore-items.dynamodb.ts';

const LINE = {
  script: 'restore',
  about: `Copies items from a restored table back into the table of a domain: those that are missing there, and with --replace
also those that differ. Items that only the table of the domain has stay. It can be repeated.`,
  options: {
    domain: {
      value: 'NAME',
      about: 'whose table',
      choices: Object.keys(DOMAIN_TABLES) as (keyof typeof DOMAIN_TABLES)[],
      required: true,
    },
    from: { value: 'TABLE', about: 'the table that restore-table-to-point-in-time has made', required: true },
    keys: { value: 'PREFIX', about: 'only items whose pk begins with this, such as CAMPAIGN#demo#' },
    replace: { about: 'also writes items that differ' },
    stage: STAGE_OPTION,
  },
  example: '--stage prod --domain images --from images-yesterday',
} as const;

await runCommandLine(LINE, async ({ values: { domain, from, keys, replace, stage } }) => {
  const deployment = await findDeployment(stage);
  const table = { name: deployment.output(DOMAIN_TABLES[domain]), client: dynamoDbClient(deployment.client) };
  const { missing, same, differing } = await restoreItems(table, { from, keys, replace });
  console.log(`${missing} items were missing and are back, ${same} were the same.`);
  if (differing > 0) {
    console.log(`${differing} differed${replace ? ' and are replaced.' : ' and stay: --replace writes them.'}`);
  }
  return 0;
});
