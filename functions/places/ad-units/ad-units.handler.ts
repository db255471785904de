/** Ad units, which promote places for a time. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv } from '#shared/env';
import { apiRoutes, created, noContent, ok, okPage } from '#shared/http/http-handler';
import { locationOf, type TenantCall, tenantApi } from '#shared/http/management-api';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table/table.dynamodb';
import { placesTable } from '../environment.ts';
import { type AdUnitChange, presentAdUnit } from './ad-unit.ts';
import { adUnitDeps } from './ad-unit-store.dynamodb.ts';
import { adUnitOperations } from './ad-units.operations.ts';
import { adUnitById, adUnitFaults, changeAdUnit, createAdUnit, deleteAdUnit } from './manage-ad-units.ts';

export const Env = z.object({ ...auditTable, ...placesTable });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const deps = adUnitDeps(boundTable(env.PLACES_TABLE));
const { units } = deps;
const more = adUnitFaults(deps);

const save = {
  more,
  answer: async ({ caller, path, body, now }: TenantCall<AdUnitChange>) =>
    ok(presentAdUnit(await changeAdUnit(deps, body, { tenant: caller.tenant, id: path.id, now }))),
};

export const handler = apiRoutes(api, adUnitOperations, {
  createAdUnit: {
    more,
    answer: async ({ caller, body, now }) => {
      const unit = await createAdUnit(deps, body, { tenant: caller.tenant, id: newId('adu'), now });
      return created(presentAdUnit(unit), locationOf(`loyalty/ad-units/${unit.id}`, caller));
    },
  },
  listAdUnits: async ({ caller, query }) => okPage(await units.list(caller.tenant, query), presentAdUnit),
  getAdUnit: async ({ caller, path }) =>
    ok(presentAdUnit(await adUnitById(units, { tenant: caller.tenant, id: path.id }))),
  replaceAdUnit: save,
  changeAdUnit: save,
  deleteAdUnit: async ({ caller, path }) => {
    await deleteAdUnit(units, { tenant: caller.tenant, id: path.id });
    return noContent();
  },
});
