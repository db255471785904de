/** Single places of a tenant. Imports write many at once. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { positiveInteger, readEnv } from '#shared/env';
import { created, httpHandler, httpRoutes, noContent, ok, okPage } from '#shared/http/http-handler';
import { ItemPath, locationOf, tenantApi } from '#shared/http/management-api';
import { dailyQuota } from '#shared/quotas/quotas.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { placesTable } from '../environment.ts';
import { placeIndex } from '../nearby/place-index.dynamodb.ts';
import { changePlace, createPlace, deletePlace, newPlaceFaults, placeById } from './manage-places.ts';
import { presentPlace } from './place.ts';
import { NewPlace, PlaceChange, PlaceReplacement } from './place-input.ts';
import { placeStore } from './place-store.dynamodb.ts';
import { PlacesQuery, placesInBox } from './places-in-box.ts';

export const Env = z.object({ ...auditTable, ...placesTable, NEW_PLACES_PER_DAY: positiveInteger });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const table = boundTable(env.PLACES_TABLE);
const places = placeStore(table);
const takeFromQuota = dailyQuota(table, 'places', env.NEW_PLACES_PER_DAY);
const one = { path: ItemPath };

const create = httpHandler(api, { body: NewPlace, more: newPlaceFaults(places) }, async ({ caller, body, now }) => {
  await takeFromQuota(caller.tenant, now);
  const place = await createPlace(places, body, { tenant: caller.tenant, now, newId: randomUUID });
  return created(presentPlace(place), locationOf(`loyalty/places/${place.id}`, caller));
});

const list = httpHandler(api, { query: PlacesQuery }, async ({ caller: { tenant }, query: { box, ...page } }) => {
  if (!box) return okPage(await places.list(tenant, page), presentPlace);
  const { items: ids, ...rest } = await placesInBox(placeIndex(table, tenant), box, page);
  return okPage({ ...rest, items: await places.byIds(tenant, ids) }, presentPlace);
});

const get = httpHandler(api, one, async ({ caller, path }) =>
  ok(presentPlace(await placeById(places, { tenant: caller.tenant, id: path.id }))),
);

const save = (body: typeof PlaceReplacement | typeof PlaceChange) =>
  httpHandler(api, { ...one, body }, async ({ caller: { tenant }, path: { id }, body: change, now }) =>
    ok(presentPlace(await changePlace(places, change, { tenant, id, now, newId: randomUUID }))),
  );

const remove = httpHandler(api, one, async ({ caller: { tenant }, path: { id }, now }) => {
  await deletePlace(places, { tenant, id, now, newId: randomUUID });
  return noContent();
});

export const handler = httpRoutes({
  'POST /manage/v1/loyalty/places': create,
  'GET /manage/v1/loyalty/places': list,
  'GET /manage/v1/loyalty/places/{id}': get,
  'PUT /manage/v1/loyalty/places/{id}': save(PlaceReplacement),
  'PATCH /manage/v1/loyalty/places/{id}': save(PlaceChange),
  'DELETE /manage/v1/loyalty/places/{id}': remove,
});
