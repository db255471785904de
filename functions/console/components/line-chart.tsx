import { Chart, type ChartRow, PLOT, type Series } from './chart.tsx';
import { rounded, valueScale } from './chart-scale.ts';
import { countText } from './quantities.ts';

interface LineChartProps {
  readonly title: string;
  /** The content of the chart, in a sentence. */
  readonly text: string;
  readonly label: string;
  readonly rowTitle: string;
  /** The points in order: their labels, and one value each. */
  readonly rows: readonly ChartRow[];
  /** The number of points on the whole width, such as the days of a period that has not ended. */
  readonly length: number;
  /** A line across the plot. */
  readonly limit: { readonly label: string; readonly value: number } | undefined;
  /** The projected value at the end of the line; undefined without a projection. */
  readonly expected: number | undefined;
}

/** A value that grows, as a line below its limit, and as a table. */
export function LineChart({ label, length, limit, expected, ...chart }: LineChartProps) {
  const values = chart.rows.map(({ values: [value = 0] }) => value);
  const { y, ticks } = valueScale(Math.max(0, ...values, limit?.value ?? 0, expected ?? 0), PLOT);
  const x = (at: number) => rounded((100 * at) / Math.max(1, length - 1));
  const line = values.map((value, at) => `${at === 0 ? 'M' : 'L'}${x(at)} ${y(value)}`).join('');
  const last = values.length - 1;
  const series: readonly Series[] = [{ label, fill: 'fill-accent' }];
  const axis = chart.rows.flatMap((row, at) => (at % 7 === 0 ? [{ x: x(at), label: row.label }] : []));
  return (
    <Chart {...chart} series={series} ticks={ticks} axis={axis}>
      <svg width="100%" height={PLOT.bottom} viewBox={`0 0 100 ${PLOT.bottom}`} preserveAspectRatio="none">
        {values.length > 1 && <path class="area" d={`${line}L${x(last)} ${PLOT.bottom}L0 ${PLOT.bottom}Z`} />}
        <path class="curve" d={line} />
        {expected !== undefined && (
          <path class="curve expected" d={`M${x(last)} ${y(values[last] ?? 0)}L100 ${y(expected)}`} />
        )}
        {limit && <path class="limit" d={`M0 ${y(limit.value)}L100 ${y(limit.value)}`} />}
      </svg>
      {limit && (
        <text x="100%" y={y(limit.value) - 4} text-anchor="end">
          {`${limit.label}: ${countText(limit.value)}`}
        </text>
      )}
    </Chart>
  );
}
