import { customerAttributes } from '#shared/loyalty/customer-items.dynamodb';
import type { Table } from '#shared/table.dynamodb';
import { awardCounts } from '../campaigns/award-items.dynamodb.ts';
import { campaignByPermalink } from '../campaigns/campaign-store.dynamodb.ts';
import { caseOf } from './case-of.ts';

/** `caseOf` with what the tables hold. */
export const tableCases = (images: Table, accounts: Table) =>
  caseOf({
    campaign: (tenant, permalink) => campaignByPermalink(images, tenant, permalink),
    awards: (campaign, customer) => awardCounts(images, campaign, customer),
    attributes: (customer) => customerAttributes(accounts, customer),
  });
