import type { ComponentChildren } from 'preact';
import { Chart, type ChartRow, PLOT, type Series } from './chart.tsx';
import { barScale } from './chart-scale.ts';
import { countText } from './quantities.ts';

interface BarChartProps {
  readonly title: string;
  /** The content of the chart, in a sentence. */
  readonly text: ComponentChildren;
  readonly series: readonly Series[];
  readonly rowTitle: string;
  readonly rows: readonly ChartRow[];
  /** The label of a row below the plot; undefined for most of them. */
  readonly axisLabel: (row: ChartRow, at: number) => string | undefined;
}

const AXIS_END = 93;

/** Counts as bars, one for each row. */
export function BarChart({ axisLabel, ...chart }: BarChartProps) {
  const { rows, series } = chart;
  const { bars, ticks } = barScale(rows, PLOT);
  const countsText = ({ values }: ChartRow) =>
    series.map(({ label }, at) => `${countText(values[at] ?? 0)} ${label.toLowerCase()}`).join(', ');
  const axis = bars.flatMap((bar, at) => {
    const label = axisLabel(bar, at);
    // A label at the very end would be cut off.
    return label === undefined || bar.x > AXIS_END ? [] : [{ x: bar.x, label }];
  });
  return (
    <Chart {...chart} ticks={ticks} axis={axis}>
      {bars.map(({ x, width, parts, ...row }) => (
        <g key={row.label}>
          <title>{`${row.label}: ${countsText(row)}`}</title>
          {series.map(({ label, fill }, at) => (
            <rect
              key={label}
              x={`${x}%`}
              width={`${width}%`}
              y={parts[at]?.y}
              height={parts[at]?.height}
              class={fill}
            />
          ))}
        </g>
      ))}
    </Chart>
  );
}
