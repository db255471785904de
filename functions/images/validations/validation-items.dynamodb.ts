import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';
import { unchangedSince } from '#shared/table/revisions.dynamodb';
import {
  countItems,
  getItems,
  type Item,
  type Key,
  type ListIndex,
  listItems,
  readItem,
  type Table,
} from '#shared/table/table.dynamodb';
import { IS_NEW, putItem, putWrite } from '#shared/table/writes.dynamodb';
import { currentOrigin } from '#shared/telemetry/origin';
import { OF_CAMPAIGN, OF_CUSTOMER, TO_REVIEW, UNDECIDED, VALIDATION, VALIDATIONS, WITH_STATUS } from '../table-keys.ts';
import { awaitsReview, type Status, type Validation } from './validation.ts';
import { Award, award, DoubtfulFinding, Fingerprint } from './verdict-schemas.ts';

const text = z.optional(z.string());
const stored = z.object({
  id: z.string(),
  mimeType: z.string(),
  format: z.enum(['jpeg', 'png', 'gif', 'tiff', 'pdf']),
  bytes: z.int(),
  sha256: z.string(),
  key: z.string(),
});
const expected = z.object({
  id: z.string(),
  mimeType: z.string(),
  bytes: z.optional(z.int()),
  uploadKey: z.string(),
  refused: z.optional(z.enum(['too-large', 'no-image'])),
});

const ValidationItem = z.object({
  tenant: z.string(),
  id: z.string(),
  origin: text,
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
      doubts: z.array(DoubtfulFinding),
      proposal: z.optional(Award),
      fingerprint: z.optional(Fingerprint),
    }),
  ),
  restarts: z.int(),
  invalidCode: z.optional(z.int()),
  invalidReason: text,
  storeName: text,
  receiptDate: text,
  results: z.optional(award.results),
});

/** Parses a validation from an item of the table or of its stream. */
export const validationIn = (item: Item): Validation => ValidationItem.parse(item);

export const validationKey = ({ tenant, id }: TenantKey): Key => ({
  pk: `${VALIDATION}${tenant}#${id}`,
  sk: VALIDATION_SORT_KEY,
});
export const VALIDATION_SORT_KEY = 'VALIDATION';

/** The lists of a validation, by the index attribute that holds each. */
export const lists = {
  ofTenant: (tenant: string) => `${VALIDATIONS}${tenant}`,
  ofCustomer: (tenant: string, customer: string) => `${OF_CUSTOMER}${tenant}#${customer}`,
  ofCampaign: (tenant: string, permalink: string) => `${OF_CAMPAIGN}${tenant}#${permalink}`,
  withStatus: (tenant: string, status: Status) => `${WITH_STATUS}${tenant}#${status}`,
  toReview: (tenant: string) => `${TO_REVIEW}${tenant}`,
};

/** Selects validations of a tenant: by customer, by campaign, by status, those that await a review, or all. */
export interface ValidationFilter {
  readonly customer?: string | undefined;
  /** The permalink. */
  readonly campaign?: string | undefined;
  readonly needsReview?: boolean | undefined;
  readonly status?: Status | undefined;
}

interface ListOptions {
  readonly tenant: string;
  readonly page: PageQuery;
  /** @default false, which lists the newest first */
  readonly oldestFirst?: boolean;
}

/** A page of the selected validations. The first filter that is set applies. */
export async function listValidations(
  table: Table,
  { tenant, page, oldestFirst = false, ...filter }: ValidationFilter & ListOptions,
): Promise<Page<Validation>> {
  const [list, index] = listFor(tenant, filter);
  const { items, ...rest } = await listItems(table, list, page, { ...index, oldestFirst });
  const whole = index.name === CAMPAIGN_INDEX.name ? await wholeItems(table, items) : items;
  return { ...rest, items: whole.map(validationIn) };
}

/** The items of entries that have only their keys, in the same order. One that was erased meanwhile is left out. */
async function wholeItems(table: Table, entries: readonly Item[]): Promise<Item[]> {
  const items = await getItems(
    table,
    entries.map(({ pk, sk }): Key => ({ pk: String(pk), sk: String(sk) })),
  );
  const byKey = new Map(items.map((item) => [item['pk'], item]));
  return entries.flatMap(({ pk }) => byKey.get(pk) ?? []);
}

/** Counts the selected validations, up to `most`. */
export function countValidations(
  table: Table,
  { tenant, most, ...filter }: ValidationFilter & { readonly tenant: string; readonly most: number },
): Promise<number> {
  const [list, index] = listFor(tenant, filter);
  return countItems(table, list, { most, index });
}

/** Its entries have only their keys and the status. */
export const CAMPAIGN_INDEX: ListIndex = { name: 'Campaigns', partition: 'campaignList' };

function listFor(tenant: string, { customer, campaign, needsReview, status }: ValidationFilter): [string, ListIndex] {
  if (customer !== undefined) {
    return [lists.ofCustomer(tenant, customer), { name: 'Customers', partition: 'customerList' }];
  }
  if (campaign !== undefined) return [lists.ofCampaign(tenant, campaign), CAMPAIGN_INDEX];
  if (needsReview) return [lists.toReview(tenant), { name: 'Reviews', partition: 'reviewList' }];
  if (status !== undefined) return [lists.withStatus(tenant, status), { name: 'Statuses', partition: 'statusList' }];
  return [lists.ofTenant(tenant), { name: 'Listing', partition: 'list' }];
}

/** `sweep-validations` handles validations that are not decided by then. */
const DECIDED_WITHIN_MILLIS = 60 * 60_000;

const dueOf = ({ updatedAt, review }: Validation) =>
  new Date(Date.parse(review?.until ?? updatedAt) + DECIDED_WITHIN_MILLIS).toISOString();

const itemOf = (validation: Validation) => {
  const { tenant, customer, campaignPermalink, status, createdAt, id } = validation;
  return {
    ...validationKey(validation),
    ...validation,
    list: lists.ofTenant(tenant),
    customerList: lists.ofCustomer(tenant, customer),
    campaignList: lists.ofCampaign(tenant, campaignPermalink),
    statusList: lists.withStatus(tenant, status),
    ...(awaitsReview(validation) && { reviewList: lists.toReview(tenant) }),
    position: `${createdAt}#${id}`,
    ...(status === 'pending' && { undecided: UNDECIDED, due: dueOf(validation) }),
  };
};

/** The validation as it is now, or undefined. */
export const validationById = (table: Table, key: TenantKey): Promise<Validation | undefined> =>
  readItem(table, validationKey(key), validationIn);

/** A transaction item that creates the validation. It is refused if the id exists. */
export const newValidationWrite = ({ name }: Table, validation: Validation): TransactWriteItem =>
  putWrite(name, { ...currentOrigin(), ...itemOf(validation) }, IS_NEW);

/** A transaction item that replaces the validation. It is refused if the validation has changed since `before`. */
export const changedValidationWrite = ({ name }: Table, after: Validation, before: Validation): TransactWriteItem =>
  putWrite(name, itemOf(after), unchangedSince(before.revision));

/** False if the validation has changed since `before`. */
export async function changeValidation(table: Table, after: Validation, before: Validation): Promise<boolean> {
  return (await putItem(table, itemOf(after), unchangedSince(before.revision))).done;
}
