/** npm start runs this, unless LOCAL_DEMO is 0: it adds places of a real city once per data folder. */
import { runCommand } from '#shared/command/command';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { variable } from '#shared/env';
import { tableIds } from '#shared/table/integer-ids.dynamodb';
import { dynamoDbClient } from '#shared/table/table.dynamodb';
import { adUnitStore } from '../ad-units/ad-unit-store.dynamodb.ts';
import { placeWrites } from '../catalog/place-store.dynamodb.ts';
import { versionOf } from '../catalog/place-writes.ts';
import { DEMO_AD_UNIT, DEMO_PLACES } from './demo-places.ts';

const TENANT = 'demo';
/** This time precedes all changes by people, so that the next start does not undo a change of a demo place. */
const CREATED = '2026-01-01T00:00:00.000Z';

await runCommand(async () => {
  if (variable('LOCAL_DEMO') === '0') return 0;
  const deployment = await findDeployment(undefined);
  const table = { name: deployment.output('PlacesTable'), client: dynamoDbClient(deployment.client) };
  const writes = placeWrites(table);
  await Promise.all(
    DEMO_PLACES.map((place) => writes.store({ ...place, tenant: TENANT }, versionOf(CREATED, place.id))),
  );
  const times = { startsAt: null, endsAt: null, createdAt: CREATED, updatedAt: CREATED };
  // The number is unused if the ad unit exists.
  const creativeId = await tableIds(table).next(`${TENANT}#creative`);
  await adUnitStore(table).add({ ...DEMO_AD_UNIT, ...times, creativeId, tenant: TENANT, revision: 1 });
  return 0;
});
