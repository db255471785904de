import { PutItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';
import {
  getItem,
  type Item,
  type Key,
  type ListIndex,
  listItems,
  marshalled,
  type Table,
  whenAllowed,
} from '#shared/table.dynamodb';
import { OF_CUSTOMER, TO_REVIEW, UNDECIDED, VALIDATION, VALIDATIONS, WITH_STATUS } from '../table-keys.ts';
import { awaitsReview, type Status, type Validation } from './validation.ts';

const text = z.optional(z.string());
const stored = z.object({
  id: z.string(),
  mimeType: z.string(),
  format: z.enum(['jpeg', 'png', 'gif', 'tiff', 'pdf']),
  bytes: z.int(),
  sha256: z.string(),
  key: z.string(),
});
const expected = z.object({ id: z.string(), mimeType: z.string(), bytes: z.optional(z.int()), uploadKey: z.string() });

const results = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    price: z.int(),
    quantity: z.int(),
    points: z.int(),
  }),
);

const ValidationItem = z.object({
  tenant: z.string(),
  id: z.string(),
  revision: z.int(),
  app: z.string(),
  customer: z.string(),
  customerExternalId: text,
  anonymous: z.boolean(),
  validationType: z.enum(['receipt', 'image']),
  campaignId: z.int(),
  campaignPermalink: z.string(),
  placementId: text,
  externalId: text,
  data: text,
  status: z.enum(['incomplete', 'pending', 'valid', 'invalid']),
  imageCount: z.int(),
  images: z.array(z.union([stored, expected])),
  createdAt: z.string(),
  updatedAt: z.string(),
  review: z.optional(
    z.object({
      requestedAt: z.string(),
      until: z.string(),
      doubts: z.array(z.object({ reason: z.string(), code: z.int() })),
      proposal: z.optional(z.object({ storeName: text, receiptDate: text, results })),
      fingerprint: z.optional(z.object({ digest: z.string(), transaction: text })),
    }),
  ),
  restarts: z.int(),
  invalidCode: z.optional(z.int()),
  invalidReason: text,
  storeName: text,
  receiptDate: text,
  results: z.optional(results),
});

/** The record that an item of the table, or of its stream, holds. */
export const validationIn = (item: Item): Validation => ValidationItem.parse(item);

export const validationKey = ({ tenant, id }: TenantKey): Key => ({
  pk: `${VALIDATION}${tenant}#${id}`,
  sk: VALIDATION_SORT_KEY,
});
export const VALIDATION_SORT_KEY = 'VALIDATION';

/** Lists in which a record stands, by the attribute that an index reads. */
export const lists = {
  ofTenant: (tenant: string) => `${VALIDATIONS}${tenant}`,
  ofCustomer: (tenant: string, customer: string) => `${OF_CUSTOMER}${tenant}#${customer}`,
  withStatus: (tenant: string, status: Status) => `${WITH_STATUS}${tenant}#${status}`,
  toReview: (tenant: string) => `${TO_REVIEW}${tenant}`,
};

/** The index that reads each kind of list. */
const INDEXES = {
  ofTenant: { name: 'Listing', partition: 'list' },
  ofCustomer: { name: 'Customers', partition: 'customerList' },
  withStatus: { name: 'Statuses', partition: 'statusList' },
  toReview: { name: 'Reviews', partition: 'reviewList' },
} as const satisfies Readonly<Record<keyof typeof lists, ListIndex>>;

/** A page of a list of records, newest first. */
export async function listValidations(
  table: Table,
  { kind, name }: { readonly kind: keyof typeof lists; readonly name: string },
  page: PageQuery,
): Promise<Page<Validation>> {
  const { items, ...rest } = await listItems(table, name, page, INDEXES[kind]);
  return { ...rest, items: items.map(validationIn) };
}

/** A verdict that has not come by then is looked after: see `sweep-validations`. */
const DECIDED_WITHIN_MILLIS = 60 * 60_000;

const dueOf = ({ updatedAt, review }: Validation) =>
  new Date(Date.parse(review?.until ?? updatedAt) + DECIDED_WITHIN_MILLIS).toISOString();

const itemOf = (validation: Validation) => {
  const { tenant, customer, status, createdAt, id } = validation;
  return {
    ...validationKey(validation),
    ...validation,
    list: lists.ofTenant(tenant),
    customerList: lists.ofCustomer(tenant, customer),
    statusList: lists.withStatus(tenant, status),
    ...(awaitsReview(validation) && { reviewList: lists.toReview(tenant) }),
    position: `${createdAt}#${id}`,
    ...(status === 'pending' && { undecided: UNDECIDED, due: dueOf(validation) }),
  };
};

/** The record as it is now, or undefined. */
export async function validationById(table: Table, key: TenantKey): Promise<Validation | undefined> {
  const item = await getItem(table, validationKey(key));
  return item && validationIn(item);
}

/** As a part of a transaction: refused if there is one already. */
export const newValidationWrite = ({ name }: Table, validation: Validation): TransactWriteItem => ({
  Put: {
    TableName: name,
    Item: marshalled(itemOf(validation)),
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

const changing = ({ name }: Table, after: Validation, before: Validation) => ({
  TableName: name,
  Item: marshalled(itemOf(after)),
  ConditionExpression: 'revision = :before',
  ExpressionAttributeValues: marshalled({ ':before': before.revision }),
});

/** As a part of a transaction: refused if the record is no longer as it was `before`. */
export const changedValidationWrite = (table: Table, after: Validation, before: Validation): TransactWriteItem => ({
  Put: changing(table, after, before),
});

/** False if the record is no longer as it was `before`. */
export async function changeValidation(table: Table, after: Validation, before: Validation): Promise<boolean> {
  return (await whenAllowed(table.client.send(new PutItemCommand(changing(table, after, before))))).done;
}
