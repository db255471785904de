/** npm run restore: copies items from a table that point-in-time recovery has made back into the table of the stage. */
import { isDeepStrictEqual } from 'node:util';
import { type AttributeValue, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { runCommandLine } from '#shared/command/command';
import { STAGE_OPTION } from '#shared/command/command-line';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { dynamoDbClient, getItems, type Item, type Table, whenAllowed } from '#shared/table/table.dynamodb';
import { DOMAIN_TABLES } from './domain-tables.ts';

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

await runCommandLine(LINE, async ({ values: { domain, from, keys = '', replace, stage } }) => {
  const deployment = await findDeployment(stage);
  const client = dynamoDbClient(deployment.client);
  const target = { name: deployment.output(DOMAIN_TABLES[domain]), client };
  const counts = { missing: 0, same: 0, differing: 0 };
  for await (const { Items: restored = [] } of paginateScan({ client }, { TableName: from, ConsistentRead: true })) {
    const items = restored.filter((item) => item['pk']?.S?.startsWith(keys) && !hasExpired(item));
    const { missing, differing } = await compared(target, items);
    counts.missing += missing.length;
    counts.differing += differing.length;
    counts.same += items.length - missing.length - differing.length;
    for (const Item of missing) {
      // The service may have written the item since it was read: what is new stays.
      const ConditionExpression = 'attribute_not_exists(pk)';
      await whenAllowed(client.send(new PutItemCommand({ TableName: target.name, Item, ConditionExpression })));
    }
    for (const Item of replace ? differing : []) {
      await client.send(new PutItemCommand({ TableName: target.name, Item }));
    }
  }
  console.log(`${counts.missing} items were missing and are back, ${counts.same} were the same.`);
  if (counts.differing > 0) {
    console.log(`${counts.differing} differed${replace ? ' and are replaced.' : ' and stay: --replace writes them.'}`);
  }
  return 0;
});

type StoredItem = Readonly<Record<string, AttributeValue>>;

/** Returns whether the table would have deleted the item by now. */
function hasExpired({ ttl }: StoredItem): boolean {
  return ttl?.N !== undefined && Number(ttl.N) * 1_000 < Date.now();
}

/** Returns the items that the table lacks, and those that differ from it. */
async function compared(table: Table, items: readonly StoredItem[]) {
  const keys = items.map(({ pk, sk }) => ({ pk: pk?.S ?? '', sk: sk?.S ?? '' }));
  const current = new Map((await getItems(table, keys)).map((item) => [nameOf(item), item]));
  const missing: StoredItem[] = [];
  const differing: StoredItem[] = [];
  for (const stored of items) {
    const item = unmarshall(stored);
    const now = current.get(nameOf(item));
    if (now === undefined) missing.push(stored);
    else if (!isDeepStrictEqual(now, item)) differing.push(stored);
  }
  return { missing, differing };
}

function nameOf({ pk, sk }: Item): string {
  return JSON.stringify([pk, sk]);
}
