import * as z from 'zod/mini';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';
import { type Item, type Key, listPage, putNewItem, readItem, type Table } from '#shared/table/table.dynamodb';
import { deleteItem, EXISTS, putItem } from '#shared/table/writes.dynamodb';
import { CAMPAIGN, CAMPAIGNS } from '../table-keys.ts';
import type { Campaign } from './campaign.ts';

const CampaignItem = z.object({
  id: z.string(),
  tenant: z.string(),
  campaignId: z.int(),
  revision: z.int(),
  permalink: z.string(),
  name: z.string(),
  type: z.enum(['receipt', 'image']),
  startsAt: z.string(),
  endsAt: z.string(),
  country: z.string(),
  currency: z.string(),
  stores: z.array(z.string()),
  products: z.array(z.object({ name: z.string(), upc: z.optional(z.string()), points: z.int() })),
  regions: z.array(z.string()),
  maxAwards: z.nullable(z.int()),
  awardsPerCustomer: z.nullable(z.int()),
  pointsPerValidation: z.int(),
  reviewsEveryImage: z.boolean(),
  reviewAboveTotal: z.nullable(z.int()),
  // Items of earlier versions lack these members.
  decidesAlone: z.prefault(z.nullable(z.boolean()), null),
  receiptsOnce: z.prefault(z.enum(['campaign', 'tenant']), 'campaign'),
  createdAt: z.string(),
  updatedAt: z.string(),
});
const campaignIn = (item: Item): Campaign => CampaignItem.parse(item);

/** Campaigns are stored under their permalinks. */
const campaignKey = ({ tenant, id }: TenantKey): Key => ({ pk: `${CAMPAIGN}${tenant}#${id}`, sk: 'CAMPAIGN' });
const listOf = (tenant: string) => `${CAMPAIGNS}${tenant}`;

const itemOf = (campaign: Campaign) => ({
  ...campaignKey(campaign),
  ...campaign,
  list: listOf(campaign.tenant),
  position: `${campaign.createdAt}#${campaign.id}`,
});

/** The campaign as it is now, or undefined. */
export const campaignByPermalink = (table: Table, tenant: string, permalink: string): Promise<Campaign | undefined> =>
  readItem(table, campaignKey({ tenant, id: permalink }), campaignIn);

export const campaignStore = (table: Table) => ({
  /** False if the tenant has a campaign with this permalink. */
  add: (campaign: Campaign): Promise<boolean> => putNewItem(table, itemOf(campaign)),

  byPermalink: ({ tenant, id }: TenantKey) => campaignByPermalink(table, tenant, id),

  /**
   * False if the campaign has changed since `before`, was deleted, or was replaced by another one with its permalink.
   */
  async change(campaign: Campaign, before: Campaign): Promise<boolean> {
    const isUnchanged = {
      condition: 'campaignId = :id AND revision = :before',
      values: { id: before.campaignId, before: before.revision },
    };
    return (await putItem(table, itemOf(campaign), isUnchanged)).done;
  },

  /** False if there is no such campaign. */
  async remove(key: TenantKey): Promise<boolean> {
    return (await deleteItem(table, campaignKey(key), EXISTS)).done;
  },

  list: (tenant: string, page: PageQuery): Promise<Page<Campaign>> => listPage(table, listOf(tenant), page, campaignIn),
});
