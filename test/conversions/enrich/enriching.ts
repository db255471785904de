import { EnrichItem, EnrichResult, enrichItem } from '../../../functions/conversions/enrich/enrich.ts';
import { Options } from '../../../functions/conversions/items/options.ts';
import { parseExactly } from '../../../shared/formats/exact-json.ts';

/** Enriches as the route does: the item from its JSON text, the answer checked against its schema. */
export async function enriched(item: unknown, options: unknown = {}): Promise<EnrichResult> {
  const text = typeof item === 'string' ? item : JSON.stringify(item);
  const result = await enrichItem(EnrichItem.parse(parseExactly(text)), { options: Options.parse(options), now: 0 });
  EnrichResult.parse(result);
  return result;
}
