import { DataTable } from './data-table.tsx';
import { type Day, dayBars, isNamedDay } from './day-bars.ts';
import { countText } from './quantities.ts';
import { timeText } from './times.ts';
import { useView } from './view.ts';

const HEIGHT = 180;
const PLOT = { top: 16, bottom: HEIGHT - 22 };

/** The meaning of one of the values of each day. */
export interface Series {
  readonly label: string;
  readonly fill: 'fill-accent' | 'fill-warn' | 'fill-ok' | 'fill-bad';
}

interface DayChartProps {
  readonly title: string;
  /** The content of the chart, in a sentence. */
  readonly text: string;
  readonly series: readonly Series[];
  readonly days: readonly Day[];
}

/** Counts per day, as bars and as a table. */
export function DayChart({ title, text, series, days }: DayChartProps) {
  const { now } = useView();
  const { days: drawn, ticks } = dayBars(days, PLOT);
  // Days of the API are UTC days, in every time zone.
  const dayText = (date: string) => timeText(Date.parse(date), { timeZone: 'UTC', now, only: 'day' });
  const countsText = ({ values }: Day) =>
    series.map(({ label }, at) => `${countText(values[at] ?? 0)} ${label.toLowerCase()}`).join(', ');
  return (
    <figure class="stack-s">
      <svg class="chart bars" role="img" aria-labelledby="days-title days-text">
        <title id="days-title">{title}</title>
        <desc id="days-text">{text}</desc>
        {ticks.map(({ value, y }) => (
          <line key={value} class="grid" x1="0" x2="100%" y1={y} y2={y} />
        ))}
        {drawn.map(({ x, width, bars, ...day }) => (
          <g key={day.date}>
            <title>{`${dayText(day.date)}: ${countsText(day)}`}</title>
            {series.map(({ label, fill }, at) => (
              <rect
                key={label}
                x={`${x}%`}
                width={`${width}%`}
                y={bars[at]?.y}
                height={bars[at]?.height}
                class={fill}
              />
            ))}
          </g>
        ))}
        {ticks.map(({ value, y }) => (
          <text key={value} x="0" y={y - 3}>
            {value === 0 ? '' : countText(value)}
          </text>
        ))}
        {drawn.filter(isNamedDay).map(({ date, x }) => (
          <text key={date} x={`${x}%`} y={HEIGHT - 6}>
            {dayText(date)}
          </text>
        ))}
      </svg>
      <figcaption class="legend">
        {series.map(({ label, fill }) => (
          <span key={label} class="key">
            <Swatch fill={fill} /> {label}
          </span>
        ))}
        <span class="small muted">{text} Days are in UTC.</span>
      </figcaption>
      <DayTable title={title} series={series} days={days} dayText={dayText} />
    </figure>
  );
}

interface DayTableProps extends Omit<DayChartProps, 'text'> {
  readonly dayText: (date: string) => string;
}

const DayTable = ({ title, series, days, dayText }: DayTableProps) => (
  <details>
    <summary>As a table</summary>
    <DataTable
      caption={title}
      rows={days.toReversed()}
      keyOf={({ date }) => date}
      columns={[
        { title: 'Day', cell: ({ date }) => dayText(date), class: 'strong', onPhone: 'first' },
        ...series.map(({ label }, at) => ({
          title: label,
          cell: ({ values }: Day) => `${countText(values[at] ?? 0)} ${label.toLowerCase()}`,
          isRight: true,
          onPhone: 'second' as const,
        })),
      ]}
    />
  </details>
);

function Swatch({ fill }: Pick<Series, 'fill'>) {
  return (
    <svg aria-hidden="true" viewBox="0 0 10 10">
      <rect width="10" height="10" rx="2" class={fill} />
    </svg>
  );
}
