/** The two expressions of metric math that alarms of the service use. Any other is refused by its text. */

/** The values of one period by the id of the metric; undefined where there is no data. */
type PeriodValues = ReadonlyMap<string, number | undefined>;

export type Series = (values: PeriodValues) => number | undefined;

const EXPRESSION = /^(SUM|MAX)\(FILL\(METRICS\(\), *(\d+(?:\.\d+)?)\)\)$/;

/** @param text `SUM(FILL(METRICS(), 0))` or `MAX(FILL(METRICS(), 0))` */
export function parseExpression(text: string): Series {
  const [, statistic, fill] = EXPRESSION.exec(text) ?? [];
  if (statistic === undefined) {
    throw new Error(
      `The local cloud cannot evaluate the expression "${text}". It has SUM(FILL(METRICS(), 0)) and MAX(FILL(METRICS(), 0)).`,
    );
  }
  return (values) => {
    const filled = [...values.values()].map((value) => value ?? Number(fill));
    if (filled.length === 0) return undefined;
    return statistic === 'MAX' ? Math.max(...filled) : filled.reduce((sum, value) => sum + value, 0);
  };
}
