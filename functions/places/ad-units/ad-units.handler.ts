/** Ad units, which promote places for a time. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv } from '#shared/env';
import { created, httpHandler, httpRoutes, noContent, ok, okPage } from '#shared/http/http-handler';
import { ItemPath, locationOf, tenantApi } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table/table.dynamodb';
import { placesTable } from '../environment.ts';
import { AdUnitChange, AdUnitFields, presentAdUnit } from './ad-unit.ts';
import { adUnitDeps } from './ad-unit-store.dynamodb.ts';
import { adUnitById, adUnitFaults, changeAdUnit, createAdUnit, deleteAdUnit } from './manage-ad-units.ts';

export const Env = z.object({ ...auditTable, ...placesTable });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const deps = adUnitDeps(boundTable(env.PLACES_TABLE));
const { units } = deps;
const one = { path: ItemPath };

const more = adUnitFaults(deps);

const create = httpHandler(api, { body: AdUnitFields, more }, async ({ caller, body, now }) => {
  const unit = await createAdUnit(deps, body, { tenant: caller.tenant, id: newId('adu'), now });
  return created(presentAdUnit(unit), locationOf(`loyalty/ad-units/${unit.id}`, caller));
});

const list = httpHandler(api, { query: PageQuery }, async ({ caller, query }) =>
  okPage(await units.list(caller.tenant, query), presentAdUnit),
);

const get = httpHandler(api, one, async ({ caller, path }) =>
  ok(presentAdUnit(await adUnitById(units, { tenant: caller.tenant, id: path.id }))),
);

const save = (body: typeof AdUnitFields | typeof AdUnitChange) =>
  httpHandler(api, { ...one, body, more }, async ({ caller, path, body: change, now }) =>
    ok(presentAdUnit(await changeAdUnit(deps, change, { tenant: caller.tenant, id: path.id, now }))),
  );

const remove = httpHandler(api, one, async ({ caller, path }) => {
  await deleteAdUnit(units, { tenant: caller.tenant, id: path.id });
  return noContent();
});

export const handler = httpRoutes({
  'POST /manage/v1/loyalty/ad-units': create,
  'GET /manage/v1/loyalty/ad-units': list,
  'GET /manage/v1/loyalty/ad-units/{id}': get,
  'PUT /manage/v1/loyalty/ad-units/{id}': save(AdUnitFields),
  'PATCH /manage/v1/loyalty/ad-units/{id}': save(AdUnitChange),
  'DELETE /manage/v1/loyalty/ad-units/{id}': remove,
});
