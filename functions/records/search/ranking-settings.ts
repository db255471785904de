import { words } from '../query/index-terms.ts';
import type { RecordType } from '../schemas/schema.ts';
import { leafPaths, SCHEMAS } from '../schemas/schemas.ts';
import type { RankingSettings } from '../segments/query/ranking.ts';

/**
 * Returns the ranking settings of a record type: the weights of its fields, and its title field. `segments/query/ranking.ts`
 * decides the order.
 */
export function rankingSettings(type: RecordType): RankingSettings {
  const weights = new Map(leafPaths(SCHEMAS[type]).map(({ path, weight }) => [path, weight]));
  const [title = ''] = Object.entries(SCHEMAS[type].fields).flatMap(([name, field]) =>
    field.kind !== 'object' && field.isTitle ? [name] : [],
  );
  return {
    title,
    weightOf: (path) => weights.get(path) ?? 1,
    titleIn: (text) => {
      const value = (JSON.parse(text) as Readonly<Record<string, unknown>>)[title];
      return typeof value === 'string' ? words(value) : [];
    },
  };
}
