import { it } from 'vitest';
import { proveNearby } from '../../support/places/nearby-proof.ts';

it('20,000 searches anywhere on the globe find what comparing every place finds', async () => {
  await proveNearby({ cases: 20_000, mostPlaces: 2_000 });
}, 3_600_000);
