import { ConvertItem, ConvertResult, convertItem } from '../../../functions/conversions/convert/convert.ts';
import { ItemRefusal } from '../../../functions/conversions/items/item-refusal.ts';
import { Options } from '../../../functions/conversions/items/options.ts';
import { parseExactly } from '../../../shared/formats/exact-json.ts';

/** The answer to an item as it would arrive, checked against the schema that the service publishes. */
export async function convert(item: object | string, options: object = {}): Promise<ConvertResult> {
  const sent = parseExactly(typeof item === 'string' ? item : JSON.stringify(item));
  const result = await convertItem(ConvertItem.parse(sent), { options: Options.parse(options), now: 0 });
  ConvertResult.parse(result);
  return result;
}

export async function refusal(item: object | string, options: object = {}): Promise<ItemRefusal> {
  try {
    await convert(item, options);
  } catch (error) {
    if (error instanceof ItemRefusal) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(item)} was converted`);
}
