/** The customers and the records of a busy tenant's loyalty program. */
import type { AttributeValue, DynamoDBClient, TransactWriteItemsCommandInput } from '@aws-sdk/client-dynamodb';
import { customerStore } from '../../functions/accounts/customers/customer-store.dynamodb.ts';
import type { Validation } from '../../functions/images/validations/validation.ts';
import { newValidationWrite } from '../../functions/images/validations/validation-items.dynamodb.ts';
import { isoTime } from '../../shared/formats/timestamp.ts';
import type { Table } from '../../shared/table/table.dynamodb.ts';
import { putInBatches } from './batch-puts.ts';

const MINUTE = 60_000;
const DAYS = 60;
const FIRST_ID = 5_000_000;
const nameOf = (n: number) => `cus_bench${String(n).padStart(7, '0')}`;

/** Customers with external ids and attributes, created a minute apart until now. */
export async function fillCustomers(table: Table, tenant: string, customers: number): Promise<void> {
  const now = Date.now();
  const items: Record<string, AttributeValue>[] = [];
  const store = customerStore(collecting(table, items));
  for (let n = 0; n < customers; n += 1) {
    const at = isoTime(now - n * MINUTE);
    // oxlint-disable-next-line no-await-in-loop -- nothing waits: the items are collected
    await store.add({
      tenant,
      id: nameOf(n),
      externalId: `crm-${n}`,
      email: `customer${n}@example.com`,
      attributes: { tier: n % 3 === 0 ? 'gold' : 'silver', visits: n % 50 },
      createdAt: at,
      updatedAt: at,
    });
  }
  await putInBatches(table, items);
}

/** A table that collects the items of transactions instead of writing them one transaction at a time. */
function collecting({ name }: Table, items: Record<string, AttributeValue>[]): Table {
  const send = async ({ input }: { readonly input: TransactWriteItemsCommandInput }) => {
    for (const { Put } of input.TransactItems ?? []) if (Put?.Item) items.push(Put.Item);
    return {};
  };
  return { name, client: { send } as unknown as DynamoDBClient };
}

/** Receipts of a campaign over sixty days: of ten, five are valid, three invalid, and two await a review. */
export async function fillRecords(
  table: Table,
  { tenant, permalink, records }: { readonly tenant: string; readonly permalink: string; readonly records: number },
): Promise<void> {
  const now = Date.now();
  const apart = Math.floor((DAYS * 86_400_000) / records);
  function* items() {
    for (let n = 0; n < records; n += 1) {
      const { Put } = newValidationWrite(table, recordAt(now - n * apart, { tenant, permalink, n }));
      if (Put?.Item) yield Put.Item;
    }
  }
  await putInBatches(table, items());
}

function recordAt(
  time: number,
  { tenant, permalink, n }: { readonly tenant: string; readonly permalink: string; readonly n: number },
): Validation {
  const at = isoTime(time);
  return {
    tenant,
    id: String(FIRST_ID - n),
    revision: 1,
    app: 'demo-app',
    customer: nameOf(n % 500),
    customerExternalId: `crm-${n % 500}`,
    anonymous: false,
    validationType: 'receipt',
    campaignId: 1,
    campaignPermalink: permalink,
    imageCount: 1,
    images: [
      { id: 'front', mimeType: 'image/jpeg', format: 'jpeg', bytes: 1_000, sha256: 'a'.repeat(64), key: `${n}` },
    ],
    createdAt: at,
    updatedAt: at,
    restarts: 0,
    ...verdictOf(n, at),
  };
}

function verdictOf(n: number, at: string): Pick<Validation, 'status' | 'review' | 'invalidCode' | 'results'> {
  if (n % 10 < 5) {
    const line = { id: `${n}-1`, name: 'Oak board', description: 'OAK BOARD', price: 1_250, quantity: 2, points: 10 };
    return { status: 'valid', results: [line] };
  }
  if (n % 10 < 8) return { status: 'invalid', invalidCode: 6 };
  const until = isoTime(Date.parse(at) + 70 * 86_400_000);
  return { status: 'pending', review: { requestedAt: at, until, doubts: [{ reason: 'low-confidence', code: 6 }] } };
}
