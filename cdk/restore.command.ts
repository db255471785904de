/** npm run restore: copies items from a restored table, or imported files from their versions, back into a domain. */
import { S3Client } from '@aws-sdk/client-s3';
import { runCommandLine } from '#shared/command/command';
import { STAGE_OPTION } from '#shared/command/command-line';
import { type Deployment, findDeployment } from '#shared/command/deployment.cloudformation';
import { dynamoDbClient } from '#shared/table/table.dynamodb';
import { DOMAIN_TABLES } from './domain-tables.ts';
import { restoreItems } from './restore-items.dynamodb.ts';
import { restoreObjects } from './restore-objects.s3.ts';
import { type Domain, restoreSource } from './restore-source.ts';

const LINE = {
  script: 'restore',
  about: `Copies items from a restored table back into the table of a domain, or imported files from their versions back into
its bucket: those that are missing there, and with --replace also those that differ. What only the domain has stays. It can
be repeated.`,
  options: {
    domain: {
      value: 'NAME',
      about: 'whose table or bucket',
      choices: Object.keys(DOMAIN_TABLES) as Domain[],
      required: true,
    },
    from: { value: 'TABLE', about: 'the table that restore-table-to-point-in-time has made' },
    to: { value: 'TIME', about: 'instead of --from: the time whose imported files come back, 2026-11-26T14:00:00Z' },
    keys: { value: 'PREFIX', about: 'only items whose pk, or files whose key, begins with this: CAMPAIGN#demo#' },
    replace: { about: 'also writes what differs' },
    stage: STAGE_OPTION,
  },
  example: '--stage prod --domain images --from images-yesterday',
} as const;

interface Restoration {
  readonly keys: string | undefined;
  readonly replace: boolean;
}

await runCommandLine(LINE, async ({ values: { stage, domain, from, to, ...options } }) => {
  const source = restoreSource({ domain, from, to }, Date.now());
  const deployment = await findDeployment(stage);
  if (source.kind === 'table') await restoreTable(deployment, domain, { ...source, ...options });
  else await restoreBucket(deployment, { ...source, ...options });
  return 0;
});

async function restoreTable(
  deployment: Deployment,
  domain: Domain,
  { from, keys, replace }: Restoration & { readonly from: string },
): Promise<void> {
  const table = { name: deployment.output(DOMAIN_TABLES[domain]), client: dynamoDbClient(deployment.client) };
  const { missing, same, differing } = await restoreItems(table, { from, keys, replace });
  console.log(`${missing} items were missing and are back, ${same} were the same.`);
  if (differing > 0) {
    console.log(`${differing} differed${replace ? ' and are replaced.' : ' and stay: --replace writes them.'}`);
  }
}

async function restoreBucket(
  deployment: Deployment,
  { output, to, keys, replace }: Restoration & { readonly output: string; readonly to: number },
): Promise<void> {
  const client = new S3Client({ ...deployment.client, forcePathStyle: deployment.client.endpoint !== undefined });
  const bucket = { name: deployment.output(output), client };
  const { missing, same, differing } = await restoreObjects(bucket, { to, keys, replace });
  console.log(`${missing} files were missing and are back, ${same} were the same.`);
  if (differing.length > 0) {
    console.log(`${differing.length} differed${replace ? ' and are replaced:' : ' and stay; --replace copies them:'}`);
    for (const key of differing) console.log(`  ${key}`);
  }
}
