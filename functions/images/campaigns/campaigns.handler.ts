/** Campaigns, for which customers submit images. Each belongs to a tenant and is addressed by its permalink. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv } from '#shared/env';
import { created, httpHandler, httpRoutes, noContent, ok, okPage } from '#shared/http/http-handler';
import { locationOf, tenantApi } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { tableIds } from '#shared/table/integer-ids.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { imagesTable } from '../environment.ts';
import { CampaignChange, CampaignFields, CampaignReplacement, presentCampaign } from './campaign.ts';
import { campaignFaults } from './campaign-faults.ts';
import { campaignStore } from './campaign-store.dynamodb.ts';
import { campaignByKey, changeCampaign, createCampaign, deleteCampaign } from './manage-campaigns.ts';

export const Env = z.object({ ...auditTable, ...imagesTable });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const table = boundTable(env.IMAGES_TABLE);
const [campaigns, campaignIds] = [campaignStore(table), tableIds(table)];
const more = campaignFaults(campaigns);
/** A permalink has at most 100 characters, so a longer one is not looked up. */
const item = { path: z.object({ permalink: z.string().max(100) }) };

const create = httpHandler(api, { body: CampaignFields, more }, async ({ caller, body, now }) => {
  const campaign = await createCampaign(campaigns, body, {
    tenant: caller.tenant,
    campaignId: await campaignIds.next(`${caller.tenant}#campaign`),
    now,
  });
  return created(presentCampaign(campaign), locationOf(`loyalty/campaigns/${campaign.permalink}`, caller));
});

const list = httpHandler(api, { query: PageQuery }, async ({ caller, query }) =>
  okPage(await campaigns.list(caller.tenant, query), presentCampaign),
);

const get = httpHandler(api, item, async ({ caller, path }) =>
  ok(presentCampaign(await campaignByKey(campaigns, { tenant: caller.tenant, id: path.permalink }))),
);

const save = (body: typeof CampaignReplacement | typeof CampaignChange) =>
  httpHandler(api, { ...item, body, more }, async ({ caller, path, body: change, now }) => {
    const key = { tenant: caller.tenant, id: path.permalink };
    return ok(presentCampaign(await changeCampaign(campaigns, change, { ...key, now })));
  });

const remove = httpHandler(api, item, async ({ caller, path }) => {
  await deleteCampaign(campaigns, { tenant: caller.tenant, id: path.permalink });
  return noContent();
});

export const handler = httpRoutes({
  'POST /manage/v1/loyalty/campaigns': create,
  'GET /manage/v1/loyalty/campaigns': list,
  'GET /manage/v1/loyalty/campaigns/{permalink}': get,
  'PUT /manage/v1/loyalty/campaigns/{permalink}': save(CampaignReplacement),
  'PATCH /manage/v1/loyalty/campaigns/{permalink}': save(CampaignChange),
  'DELETE /manage/v1/loyalty/campaigns/{permalink}': remove,
});
