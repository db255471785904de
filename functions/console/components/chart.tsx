import type { ComponentChildren } from 'preact';
import type { Plot, Tick } from './chart-scale.ts';
import { DataTable } from './data-table.tsx';
import { countText } from './quantities.ts';

const HEIGHT = 180;
/** The room for the labels of the ticks, left of the plot, in pixels; the stylesheet has it as a margin. */
const GUTTER = 38;
export const PLOT: Plot = { top: 16, bottom: HEIGHT - 22 };

/** The meaning of one of the values of each row. */
export interface Series {
  readonly label: string;
  readonly fill: 'fill-accent' | 'fill-warn' | 'fill-ok' | 'fill-bad' | 'fill-info' | 'fill-soft';
}

/** A row of the table of a chart. */
export interface ChartRow {
  readonly label: string;
  readonly values: readonly number[];
}

interface ChartProps {
  readonly title: string;
  /** The content of the chart, in a sentence. */
  readonly text: ComponentChildren;
  readonly series: readonly Series[];
  /** The meaning of the labels of the rows: a day, an hour. */
  readonly rowTitle: string;
  readonly rows: readonly ChartRow[];
  readonly ticks: readonly Tick[];
  /** The labels below the plot, by their position in percent of the width. */
  readonly axis: readonly { readonly x: number; readonly label: string }[];
  /** The drawing. */
  readonly children: ComponentChildren;
}

/** A drawing on a grid, with its legend, and its values as a table. */
export function Chart({ title, text, series, rowTitle, rows, ticks, axis, children }: ChartProps) {
  const id = `chart-${title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;
  return (
    <figure class="stack-s">
      <svg class="chart bars" role="img" aria-labelledby={`${id}-title`} aria-describedby={`${id}-text`}>
        <title id={`${id}-title`}>{title}</title>
        {ticks.map(({ value, y }) => (
          <line key={value} class="grid" x1={-GUTTER} x2="100%" y1={y} y2={y} />
        ))}
        {children}
        {axis.map(({ x, label }) => (
          <text key={x} x={`${x}%`} y={HEIGHT - 6}>
            {label}
          </text>
        ))}
        {ticks.map(({ value, y }) => (
          <text key={value} x={-GUTTER} y={y - 3}>
            {value === 0 ? '' : countText(value)}
          </text>
        ))}
      </svg>
      <figcaption class="legend">
        {series.map(({ label, fill }) => (
          <span key={label} class="key">
            <Swatch fill={fill} /> {label}
          </span>
        ))}
        <span class="small muted" id={`${id}-text`}>
          {text}
        </span>
      </figcaption>
      <details>
        <summary>
          As a table<span class="hidden">: {title}</span>
        </summary>
        <DataTable
          caption={title}
          rows={rows.toReversed()}
          keyOf={({ label }) => label}
          columns={[
            { title: rowTitle, cell: ({ label }) => label, class: 'strong', onPhone: 'first' },
            ...series.map(({ label }, at) => ({
              title: label,
              cell: ({ values }: ChartRow) => `${countText(values[at] ?? 0)} ${label.toLowerCase()}`,
              isRight: true,
              onPhone: 'second' as const,
            })),
          ]}
        />
      </details>
    </figure>
  );
}

function Swatch({ fill }: Pick<Series, 'fill'>) {
  return (
    <svg aria-hidden="true" viewBox="0 0 10 10">
      <rect width="10" height="10" rx="2" class={fill} />
    </svg>
  );
}
