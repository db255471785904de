/** Single places of a tenant. Imports write many at once. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { positiveInteger, readEnv } from '#shared/env';
import { apiRoutes, created, noContent, ok, okPage } from '#shared/http/http-handler';
import { locationOf, type TenantCall, tenantApi } from '#shared/http/management-api';
import { dailyQuota } from '#shared/quotas/quotas.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { placesTable } from '../environment.ts';
import { placeIndex } from '../nearby/place-index.dynamodb.ts';
import { changePlace, createPlace, deletePlace, newPlaceFaults, placeById } from './manage-places.ts';
import { presentPlace } from './place.ts';
import type { PlaceChange } from './place-input.ts';
import { placeStore } from './place-store.dynamodb.ts';
import { placeOperations } from './places.operations.ts';
import { placesInBox } from './places-in-box.ts';

export const Env = z.object({ ...auditTable, ...placesTable, NEW_PLACES_PER_DAY: positiveInteger });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const table = boundTable(env.PLACES_TABLE);
const places = placeStore(table);
const takeFromQuota = dailyQuota(table, 'places', env.NEW_PLACES_PER_DAY);

const save = async ({ caller: { tenant }, path: { id }, body, now }: TenantCall<PlaceChange>) =>
  ok(presentPlace(await changePlace(places, body, { tenant, id, now, newId: randomUUID })));

export const handler = apiRoutes(api, placeOperations, {
  createPlace: {
    more: newPlaceFaults(places),
    answer: async ({ caller, body, now }) => {
      await takeFromQuota(caller.tenant, now);
      const place = await createPlace(places, body, { tenant: caller.tenant, now, newId: randomUUID });
      return created(presentPlace(place), locationOf(`loyalty/places/${place.id}`, caller));
    },
  },
  listPlaces: async ({ caller: { tenant }, query: { box, name, ids, ...page } }) => {
    if (ids) return okPage({ items: await places.byIds(tenant, ids) }, presentPlace);
    if (name !== undefined) return okPage(await places.named(tenant, name, page), presentPlace);
    if (!box) return okPage(await places.list(tenant, page), presentPlace);
    const { items: inside, ...rest } = await placesInBox(placeIndex(table, tenant), box, page);
    return okPage({ ...rest, items: await places.byIds(tenant, inside) }, presentPlace);
  },
  getPlace: async ({ caller, path }) =>
    ok(presentPlace(await placeById(places, { tenant: caller.tenant, id: path.id }))),
  replacePlace: save,
  changePlace: save,
  deletePlace: async ({ caller: { tenant }, path: { id }, now }) => {
    await deletePlace(places, { tenant, id, now, newId: randomUUID });
    return noContent();
  },
});
