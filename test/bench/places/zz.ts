import { GeneratedPlaces } from '/work/wt/pbench/test/bench/places/generated-places.ts';
import { loadedTable } from '/work/wt/pbench/test/bench/places/place-table.ts';

const n = Number(process.argv[2]);
const t = await loadedTable(new GeneratedPlaces(n));
console.log(n, t.seconds, process.memoryUsage().rss / 1e6);
await t.close();
