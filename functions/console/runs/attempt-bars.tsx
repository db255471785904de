import { durationText } from '../components/durations.ts';
import { Time } from '../components/time.tsx';
import { type AttemptPhase, phasesOf } from './attempt-phases.ts';
import type { Attempt } from './run-answers.ts';
import { outcomeWords } from './run-status.tsx';

/** The phases by name; those before the request is sent are drawn in one tone, those after it in another. */
const PHASES: Readonly<Record<AttemptPhase['name'], { readonly label: string; readonly fill: string }>> = {
  dns: { label: 'DNS lookup', fill: 'fill-soft' },
  connect: { label: 'Connection', fill: 'fill-soft' },
  tls: { label: 'TLS', fill: 'fill-soft' },
  wait: { label: 'First byte', fill: 'fill-accent' },
  rest: { label: 'Download', fill: 'fill-accent' },
};

const TONES = [
  ['fill-soft', 'Connecting'],
  ['fill-accent', 'Waiting for the response'],
] as const;

interface AttemptBarsProps {
  readonly attempts: readonly Attempt[];
  /** Returns the address of the page that shows the response of an attempt. @default no link */
  readonly pathOf?: (attempt: Attempt) => string;
  /** The attempt whose response is shown. */
  readonly current?: Attempt | undefined;
}

/** The attempts as bars of their phases, on one scale: the longest attempt fills the width. */
export function AttemptBars({ attempts, pathOf, current }: AttemptBarsProps) {
  const longest = Math.max(1, ...attempts.map(({ timings }) => timings?.totalMillis ?? 0));
  const hasMoved = new Set(attempts.map(({ targetUrl }) => targetUrl)).size > 1;
  return (
    <>
      <ol class="attempts">
        {attempts.map((attempt) => (
          <li key={`${attempt.attempt}.${attempt.part}`}>
            <AttemptLine
              attempt={attempt}
              longest={longest}
              path={pathOf?.(attempt)}
              isCurrent={attempt === current}
              showsUrl={hasMoved}
            />
          </li>
        ))}
      </ol>
      <p class="legend">
        {TONES.map(([fill, label]) => (
          <span class="key" key={fill}>
            <svg aria-hidden="true" viewBox="0 0 10 10">
              <rect width="10" height="10" rx="2" class={fill} />
            </svg>
            {label}
          </span>
        ))}
      </p>
    </>
  );
}

interface AttemptLineProps {
  readonly attempt: Attempt;
  readonly longest: number;
  readonly path: string | undefined;
  readonly isCurrent: boolean;
  /** True if the URL is shown, because it changed between two attempts. */
  readonly showsUrl: boolean;
}

/** `Attempt 2`; with its part if a worker was lost during it. */
export const attemptName = ({ attempt, part }: Pick<Attempt, 'attempt' | 'part'>): string =>
  `Attempt ${attempt}${part > 0 ? `, part ${part + 1}` : ''}`;

function AttemptLine({ attempt, longest, path, isCurrent, showsUrl }: AttemptLineProps) {
  const { timings, responseCode, outcome, late } = attempt;
  const isGood = outcome === 'succeeded';
  return (
    <>
      <div class="attempt-head">
        {path === undefined ? (
          <span class="strong">{attemptName(attempt)}</span>
        ) : (
          <a class="strong" href={path} aria-current={isCurrent ? 'true' : undefined}>
            {attemptName(attempt)}
          </a>
        )}
        <span class={isGood ? 'good' : 'poor'}>
          {responseCode ?? outcomeWords(outcome)}
          {late && ' (late, not counted)'}
        </span>
        <span class="faint">
          <Time at={attempt.startedAt} />
        </span>
        <span class="faint">{timings ? durationText(timings.totalMillis) : ''}</span>
      </div>
      {showsUrl && <p class="attempt-url faint mono">{attempt.targetUrl}</p>}
      {timings && <PhaseBar phases={phasesOf(timings)} longest={longest} />}
    </>
  );
}

function PhaseBar({ phases, longest }: { readonly phases: readonly AttemptPhase[]; readonly longest: number }) {
  const share = (millis: number) => `${((100 * millis) / longest).toFixed(2)}%`;
  const words = phases.map(({ name, millis }) => `${PHASES[name].label} ${durationText(millis)}`).join(', ');
  return (
    <svg class="phases" role="img" aria-label={words}>
      {phases.map(({ name, from, millis }) => (
        <rect key={name} x={share(from)} width={share(millis)} height="100%" class={PHASES[name].fill}>
          <title>{`${PHASES[name].label}: ${durationText(millis)}`}</title>
        </rect>
      ))}
    </svg>
  );
}
