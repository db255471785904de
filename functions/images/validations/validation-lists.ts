import { shardOf } from '#shared/table/sharded-lists';
import { OF_CAMPAIGN, OF_CUSTOMER, TO_REVIEW, UNDECIDED, VALIDATIONS, WITH_STATUS } from '../table-keys.ts';
import { awaitsReview, type Status, type Validation } from './validation.ts';

/** A list of validations in an index of the images table. Its entries are sorted by `position`. */
export interface ValidationList {
  readonly index: 'Listing' | 'Customers' | 'Campaigns' | 'Statuses' | 'Reviews';
  /** The index attribute that names an entry's partition. */
  readonly attribute: string;
  readonly name: string;
  readonly shards: number;
}

/** The shards of a list. A validation costs a list some 5 write units until it is decided, so 4 shards take 800 a second. */
const LIST_SHARDS = 4;
/** The undecided validations of all tenants are one list. */
const UNDECIDED_SHARDS = 16;

/** The lists of validations, each by what selects it. */
export const lists = {
  ofTenant: (tenant: string): ValidationList => ({
    shards: LIST_SHARDS,
    index: 'Listing',
    attribute: 'list',
    name: `${VALIDATIONS}${tenant}`,
  }),
  /** One customer submits too little for more than one partition. */
  ofCustomer: (tenant: string, customer: string): ValidationList => ({
    index: 'Customers',
    attribute: 'customerList',
    name: `${OF_CUSTOMER}${tenant}#${customer}`,
    shards: 1,
  }),
  /** Its entries have only their keys and the status. */
  ofCampaign: (tenant: string, permalink: string): ValidationList => ({
    shards: LIST_SHARDS,
    index: 'Campaigns',
    attribute: 'campaignList',
    name: `${OF_CAMPAIGN}${tenant}#${permalink}`,
  }),
  withStatus: (tenant: string, status: Status): ValidationList => ({
    shards: LIST_SHARDS,
    index: 'Statuses',
    attribute: 'statusList',
    name: `${WITH_STATUS}${tenant}#${status}`,
  }),
  /** People review fewer than the 200 a second that one partition takes. */
  toReview: (tenant: string): ValidationList => ({
    index: 'Reviews',
    attribute: 'reviewList',
    name: `${TO_REVIEW}${tenant}`,
    shards: 1,
  }),
};

/** The partitions of a list. */
export const partitionsOf = ({ name, shards }: ValidationList): string[] =>
  Array.from({ length: shards }, (_, shard) => `${name}#${shard}`);

/** The partitions of the list of undecided validations, which are sorted by `due`. */
export const undecidedPartitions = Array.from({ length: UNDECIDED_SHARDS }, (_, shard) => `${UNDECIDED}${shard}`);

/** `sweep-validations` handles validations that are not decided by then. */
const DECIDED_WITHIN_MILLIS = 60 * 60_000;

const dueOf = ({ updatedAt, review }: Validation) =>
  new Date(Date.parse(review?.until ?? updatedAt) + DECIDED_WITHIN_MILLIS).toISOString();

/** The attributes of a validation's item that place it in its lists. */
export function placesOf(validation: Validation): Record<string, string> {
  const { tenant, customer, campaignPermalink, status, createdAt, id } = validation;
  const holding = [
    lists.ofTenant(tenant),
    lists.ofCustomer(tenant, customer),
    lists.ofCampaign(tenant, campaignPermalink),
    lists.withStatus(tenant, status),
    ...(awaitsReview(validation) ? [lists.toReview(tenant)] : []),
  ];
  const partitions = holding.map(({ attribute, name, shards }) => [attribute, `${name}#${shardOf(id, shards)}`]);
  return {
    ...Object.fromEntries(partitions),
    position: `${createdAt}#${id}`,
    ...(status === 'pending' && {
      undecided: `${UNDECIDED}${shardOf(id, UNDECIDED_SHARDS)}`,
      due: dueOf(validation),
    }),
  };
}
