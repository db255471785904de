/** The expressions of metric math that alarms of the service use. Any other is refused by its text. */

/** The values of one period by the id of the metric; undefined where there is no data. */
type PeriodValues = ReadonlyMap<string, number | undefined>;

export type Series = (values: PeriodValues) => number | undefined;

const NUMBER = String.raw`\d+(?:\.\d+)?`;
const FILLED = new RegExp(`^(SUM|MAX)\\(FILL\\(METRICS\\(\\), *(${NUMBER})\\)\\)$`);
const ABOVE = new RegExp(`^IF\\((\\w+) > (${NUMBER})(?: \\* ([a-z]\\w*))?, ([a-z]\\w*), 0\\)$`);

/** @param text `SUM(FILL(METRICS(), 0))`, `MAX(FILL(METRICS(), 0))`, `IF(one > 0.1 * other, one, 0)` or `IF(one > 5, other, 0)` */
export function parseExpression(text: string): Series {
  const series = fillSeries(FILLED.exec(text)) ?? thresholdSeries(ABOVE.exec(text));
  if (series) return series;
  throw new Error(
    `The local cloud cannot evaluate the expression "${text}". It has SUM(FILL(METRICS(), 0)), MAX(FILL(METRICS(), 0)), IF(one > 0.1 * other, one, 0) and IF(one > 5, other, 0).`,
  );
}

function fillSeries(match: RegExpExecArray | null): Series | undefined {
  if (!match) return undefined;
  const [, statistic, fill] = match;
  return (values) => {
    const all = [...values.values()].map((value) => value ?? Number(fill));
    if (all.length === 0) return undefined;
    return statistic === 'MAX' ? Math.max(...all) : all.reduce((sum, value) => sum + value, 0);
  };
}

/** Evaluates `IF(one > factor * other, result, 0)`. It has no data where one of its metrics has none. */
function thresholdSeries(match: RegExpExecArray | null): Series | undefined {
  if (!match) return undefined;
  const [, id = '', factor, other, result = ''] = match;
  return (values) => {
    const [value, base, chosen] = [values.get(id), other === undefined ? 1 : values.get(other), values.get(result)];
    if (value === undefined || base === undefined || chosen === undefined) return undefined;
    return value > Number(factor) * base ? chosen : 0;
  };
}
