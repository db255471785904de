import { DataTable } from '../components/data-table.tsx';
import { countOf, countText } from '../components/quantities.ts';
import { timeText } from '../components/times.ts';
import { useView } from '../components/view.ts';
import { dayChart, isNamedDay } from './day-bars.ts';
import type { UsedDay } from './usage-answers.ts';

const HEIGHT = 180;
const PLOT = { top: 16, bottom: HEIGHT - 22 };

/** The conversions per day, as bars and as a table. */
export function UsageChart({ days }: { readonly days: readonly UsedDay[] }) {
  const { now } = useView();
  const { bars, ticks } = dayChart(days, PLOT);
  // Days of the API are UTC days, in every time zone.
  const dayText = (date: string) => timeText(Date.parse(date), { timeZone: 'UTC', now, only: 'day' });
  const live = days.reduce((sum, day) => sum + day.live, 0);
  const test = days.reduce((sum, day) => sum + day.test, 0);
  const text = `${countText(live)} live and ${countText(test)} test conversions in ${countOf(days.length, 'day')}.`;
  return (
    <figure class="stack-s">
      <svg class="chart bars" role="img" aria-labelledby="days-title days-text">
        <title id="days-title">Conversions per day</title>
        <desc id="days-text">{text}</desc>
        {ticks.map(({ value, y }) => (
          <line key={value} class="grid" x1="0" x2="100%" y1={y} y2={y} />
        ))}
        {bars.map(({ date, x, width, liveBar, testBar, ...day }) => (
          <g key={date}>
            <title>{`${dayText(date)}: ${countText(day.live)} live, ${countText(day.test)} test`}</title>
            <rect x={`${x}%`} width={`${width}%`} y={liveBar.y} height={liveBar.height} class="fill-accent" />
            <rect x={`${x}%`} width={`${width}%`} y={testBar.y} height={testBar.height} class="fill-warn" />
          </g>
        ))}
        {ticks.map(({ value, y }) => (
          <text key={value} x="0" y={y - 3}>
            {value === 0 ? '' : countText(value)}
          </text>
        ))}
        {bars.filter(isNamedDay).map(({ date, x }) => (
          <text key={date} x={`${x}%`} y={HEIGHT - 6}>
            {dayText(date)}
          </text>
        ))}
      </svg>
      <figcaption class="legend">
        <span class="key">
          <Swatch fill="fill-accent" /> Live
        </span>
        <span class="key">
          <Swatch fill="fill-warn" /> Test
        </span>
        <span class="small muted">{text} Days are in UTC.</span>
      </figcaption>
      <details>
        <summary>As a table</summary>
        <DataTable
          caption="Conversions per day"
          rows={days.toReversed()}
          keyOf={({ date }) => date}
          columns={[
            { title: 'Day', cell: ({ date }) => dayText(date), class: 'strong', onPhone: 'first' },
            { title: 'Live', cell: (day) => countText(day.live), isRight: true, onPhone: 'second' },
            { title: 'Test', cell: (day) => `${countText(day.test)} test`, isRight: true, onPhone: 'second' },
          ]}
        />
      </details>
    </figure>
  );
}

function Swatch({ fill }: { readonly fill: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 10 10">
      <rect width="10" height="10" rx="2" class={fill} />
    </svg>
  );
}
