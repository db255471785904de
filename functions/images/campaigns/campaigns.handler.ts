/** Campaigns, for which customers submit images. Each belongs to a tenant and is addressed by its permalink. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv } from '#shared/env';
import { apiRoutes, created, noContent, ok, okPage } from '#shared/http/http-handler';
import { locationOf, type TenantCall, tenantApi } from '#shared/http/management-api';
import { tableIds } from '#shared/table/integer-ids.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { imagesTable } from '../environment.ts';
import { withAwards } from './award-counters.dynamodb.ts';
import { type Campaign, type CampaignChange, presentCampaign } from './campaign.ts';
import { campaignFaults } from './campaign-faults.ts';
import { campaignStore } from './campaign-store.dynamodb.ts';
import { campaignOperations } from './campaigns.operations.ts';
import { campaignByKey, changeCampaign, createCampaign, deleteCampaign } from './manage-campaigns.ts';

type SavingCall = Omit<TenantCall<CampaignChange>, 'path'> & { readonly path: { readonly permalink: string } };

export const Env = z.object({ ...auditTable, ...imagesTable });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const table = boundTable(env.IMAGES_TABLE);
const [campaigns, campaignIds] = [campaignStore(table), tableIds(table)];
const more = campaignFaults(campaigns);

async function counted(campaign: Campaign) {
  const [own = { ...campaign, awards: null }] = await withAwards(table, [campaign]);
  return presentCampaign(own);
}

const save = {
  more,
  answer: async ({ caller, path, body, now }: SavingCall) => {
    const key = { tenant: caller.tenant, id: path.permalink };
    return ok(await counted(await changeCampaign(campaigns, body, { ...key, now })));
  },
};

export const handler = apiRoutes(api, campaignOperations, {
  createCampaign: {
    more,
    answer: async ({ caller, body, now }) => {
      const campaignId = await campaignIds.next(`${caller.tenant}#campaign`);
      const campaign = await createCampaign(campaigns, body, { tenant: caller.tenant, campaignId, now });
      return created(await counted(campaign), locationOf(`loyalty/campaigns/${campaign.permalink}`, caller));
    },
  },
  listCampaigns: async ({ caller, query }) => {
    const { items, ...rest } = await campaigns.list(caller.tenant, query);
    return okPage({ ...rest, items: await withAwards(table, items) }, presentCampaign);
  },
  getCampaign: async ({ caller, path }) =>
    ok(await counted(await campaignByKey(campaigns, { tenant: caller.tenant, id: path.permalink }))),
  replaceCampaign: save,
  changeCampaign: save,
  deleteCampaign: async ({ caller, path }) => {
    await deleteCampaign(campaigns, { tenant: caller.tenant, id: path.permalink });
    return noContent();
  },
});
