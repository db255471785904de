import { durationText } from '../components/durations.ts';
import { Time } from '../components/time.tsx';
import { type AttemptPhase, phasesOf } from './attempt-phases.ts';
import type { Attempt } from './run-answers.ts';

const PHASES: Readonly<Record<AttemptPhase['name'], { readonly label: string; readonly fill: string }>> = {
  dns: { label: 'DNS lookup', fill: 'fill-warn' },
  connect: { label: 'Connection', fill: 'fill-info' },
  tls: { label: 'TLS', fill: 'fill-ok' },
  wait: { label: 'First byte', fill: 'fill-accent' },
  rest: { label: 'Download', fill: 'fill-soft' },
};

interface AttemptBarsProps {
  readonly attempts: readonly Attempt[];
  /** Returns the address of an attempt's response. @default no link */
  readonly answerPath?: (attempt: Attempt) => string;
}

/** The attempts as bars of their phases, on one scale: the longest attempt fills the width. */
export function AttemptBars({ attempts, answerPath }: AttemptBarsProps) {
  const longest = Math.max(1, ...attempts.map(({ timings }) => timings?.totalMillis ?? 0));
  const hasMoved = new Set(attempts.map(({ targetUrl }) => targetUrl)).size > 1;
  return (
    <>
      <ol class="attempts">
        {attempts.map((attempt) => (
          <li key={`${attempt.attempt}.${attempt.part}`}>
            <AttemptLine attempt={attempt} longest={longest} answerPath={answerPath} showsUrl={hasMoved} />
          </li>
        ))}
      </ol>
      <p class="legend">
        {Object.entries(PHASES).map(([name, { label, fill }]) => (
          <span class="key" key={name}>
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
  readonly answerPath: AttemptBarsProps['answerPath'];
  /** True if the URL is shown, because it changed between two attempts. */
  readonly showsUrl: boolean;
}

function AttemptLine({ attempt, longest, answerPath, showsUrl }: AttemptLineProps) {
  const { timings, responseCode, outcome, late, responseBody } = attempt;
  const isGood = outcome === 'succeeded';
  return (
    <>
      <div class="attempt-head">
        <span class="strong">
          Attempt {attempt.attempt}
          {attempt.part > 0 && `, part ${attempt.part + 1}`}
        </span>
        <span class={isGood ? 'mono good' : 'mono poor'}>
          {responseCode ?? outcome}
          {late && ' (late, not counted)'}
        </span>
        <span class="faint">
          <Time at={attempt.startedAt} />
        </span>
        <span class="faint">{timings ? durationText(timings.totalMillis) : ''}</span>
        {responseBody !== null && answerPath && <a href={answerPath(attempt)}>Response</a>}
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
