import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';
import {
  getItem,
  type Item,
  type Key,
  listItems,
  marshalled,
  putNewItem,
  type Table,
  whenAllowed,
} from '#shared/table/table.dynamodb';
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
export async function campaignByPermalink(
  table: Table,
  tenant: string,
  permalink: string,
): Promise<Campaign | undefined> {
  const item = await getItem(table, campaignKey({ tenant, id: permalink }));
  return item && campaignIn(item);
}

export const campaignStore = (table: Table) => ({
  /** False if the tenant has a campaign with this permalink. */
  add: (campaign: Campaign): Promise<boolean> => putNewItem(table, itemOf(campaign)),

  byPermalink: ({ tenant, id }: TenantKey) => campaignByPermalink(table, tenant, id),

  /**
   * False if the campaign has changed since `before`, was deleted, or was replaced by another one with its permalink.
   */
  async change(campaign: Campaign, before: Campaign): Promise<boolean> {
    const put = new PutItemCommand({
      TableName: table.name,
      Item: marshalled(itemOf(campaign)),
      ConditionExpression: 'campaignId = :id AND revision = :before',
      ExpressionAttributeValues: marshalled({ ':id': before.campaignId, ':before': before.revision }),
    });
    return (await whenAllowed(table.client.send(put))).done;
  },

  /** False if there is no such campaign. */
  async remove(key: TenantKey): Promise<boolean> {
    const remove = new DeleteItemCommand({
      TableName: table.name,
      Key: marshalled(campaignKey(key)),
      ConditionExpression: 'attribute_exists(pk)',
    });
    return (await whenAllowed(table.client.send(remove))).done;
  },

  async list(tenant: string, page: PageQuery): Promise<Page<Campaign>> {
    const { items, ...rest } = await listItems(table, listOf(tenant), page);
    return { ...rest, items: items.map(campaignIn) };
  },
});
