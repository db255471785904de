import { ConvertItem, ConvertResult, convertItem } from '../../../functions/conversions/convert/convert.ts';
import { EnrichItem, EnrichResult, enrichItem } from '../../../functions/conversions/enrich/enrich.ts';
import { NormalizeItem, NormalizeResult, normalizeItem } from '../../../functions/conversions/normalize/normalize.ts';
import type { ItemRoute } from '../../../functions/conversions/serving/items.ts';
import { ValidateItem, ValidateResult, validateItem } from '../../../functions/conversions/validate/validate.ts';

/** The metered routes as their handlers put them together. */
export const ROUTES = {
  convert: { item: ConvertItem, result: ConvertResult, work: convertItem },
  normalize: { item: NormalizeItem, result: NormalizeResult, work: normalizeItem },
  validate: { item: ValidateItem, result: ValidateResult, work: validateItem },
  enrich: { item: EnrichItem, result: EnrichResult, work: enrichItem },
} as Readonly<Record<'convert' | 'normalize' | 'validate' | 'enrich', ItemRoute<unknown, unknown>>>;
