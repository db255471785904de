import type { ComponentChildren } from 'preact';
import * as z from 'zod/mini';
import { REPLAYS_MAX } from '#shared/replay-limit';
import { LinkButton, Submit } from '../components/button.tsx';
import { noticeOf } from '../components/change-notice.tsx';
import { durationText } from '../components/durations.ts';
import { PostForm } from '../components/form.tsx';
import { FollowLink, Live } from '../components/live.tsx';
import { Card, Facts, Note, PageHead, Url } from '../components/page-parts.tsx';
import { ShortId } from '../components/short-id.tsx';
import { Time, Until } from '../components/time.tsx';
import { type Settled, settled } from '../management/management.ts';
import { refusedPage } from '../pages/refused-page.tsx';
import { type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { AttemptBars } from './attempt-bars.tsx';
import { curlCommand } from './curl-command.ts';
import { RequestCard, ResponseCard } from './exchange.tsx';
import { failureOfRun } from './failure-cause.ts';
import { type Attempt, type Run, RunDetails, RunId, RunPage } from './run-answers.ts';
import { isReplayable, ResponseCode, RunStatus, shortId } from './run-status.tsx';

const pathOf = (id: string) => `runs/${encodeURIComponent(id)}`;

/** One run with its payload, attempts and replays. */
export const runScreen: Screen = async (pageRequest) => {
  const { management, path } = pageRequest;
  const id = path['id'] ?? '';
  const [run, replays] = await Promise.all([
    management.get(pathOf(id), RunDetails),
    settled(management.get('runs', RunPage, { replayOf: id, limit: '10' })),
  ]);
  const isOver = run.completedAt !== null;
  const attempt = chosenAttempt(run, pageRequest.query.get('attempt'));
  const progress = { isOver, content: <Progress pageRequest={pageRequest} run={run} attempt={attempt} /> };
  const response = {
    isOver,
    content: (
      <ResponseCard
        attempt={attempt}
        savedAt={attempt && answerPath(pageRequest, run.id, attempt)}
        isOne={run.attemptLog.length === 1}
      />
    ),
  };
  return page(
    `Run ${shortId(run.id)}`,
    <>
      <PageHead
        title={run.record}
        lead={<span class="mono">{run.id}</span>}
        under={[screenPath(pageRequest, 'runs'), 'Delivery log']}
      >
        <button class="button" type="button" data-copies="curl">
          Copy as cURL
        </button>
        <Replay pageRequest={pageRequest} run={run} replays={replays.ok ? replays.value.items : []} />
      </PageHead>
      <div class="stack">
        <Live name="progress" part={progress} reloadsAtEnd saysState />
        <FollowLink isOver={isOver} />
        <div class="beside">
          <div class="stack">
            <Live name="response" part={response} />
            <RequestCard
              targetUrl={attempt?.targetUrl ?? run.targetUrl}
              headers={run.headers}
              headersOf={attempt === run.attemptLog.at(-1) ? undefined : 'the last attempt'}
              payload={run.payload}
              savedAt={screenPath(pageRequest, `${pathOf(run.id)}/payload`)}
            />
          </div>
          <Details pageRequest={pageRequest} run={run} replays={replays} />
        </div>
        <pre id="curl" hidden>
          {curlCommand(run)}
        </pre>
      </div>
    </>,
    { live: { progress, response } },
  );
};

/** Replays the run and redirects to the new one. */
export const replayScreen: Screen = async (pageRequest) => {
  const id = pageRequest.path['id'] ?? '';
  const run = await pageRequest.management.send({ method: 'POST', path: `${pathOf(id)}/replay` }, RunId);
  return seeOther(screenPath(pageRequest, pathOf(run.id), noticeOf('replayed')));
};

/** Makes the attempt that the run waits for due now. A run whose attempt is due anyway stays as it is. */
export const retryScreen: Screen = async (pageRequest) => {
  const id = pageRequest.path['id'] ?? '';
  const call = { method: 'POST', path: `${pathOf(id)}/retry` } as const;
  const retried = await settled(pageRequest.management.send(call, z.unknown()));
  if (retried.ok) return seeOther(screenPath(pageRequest, pathOf(id), noticeOf('retrying')));
  if (retried.failure.code === 'not-waiting') return seeOther(screenPath(pageRequest, pathOf(id)));
  return refusedPage('Not retried', [screenPath(pageRequest, pathOf(id)), 'Run'], retried.failure);
};

interface ReplayProps {
  readonly pageRequest: PageRequest;
  readonly run: Run;
  readonly replays: readonly Run[];
}

/** The button that replays a run. While a replay is in progress, a link to that stands in its place. */
function Replay({ pageRequest, run, replays }: ReplayProps) {
  if (!isReplayable(run)) return null;
  const running = replays.find(({ replayOf, completedAt }) => replayOf === run.id && completedAt === null);
  if (running) return <LinkButton label="View the running replay" href={screenPath(pageRequest, pathOf(running.id))} />;
  return (
    <PostForm action={screenPath(pageRequest, `${pathOf(run.id)}/replay`)}>
      <Submit kind="primary" label="Replay" />
    </PostForm>
  );
}

/** The attempt that the address names, or the last one. */
function chosenAttempt({ attemptLog }: RunDetails, place: string | null): Attempt | undefined {
  return attemptLog.find((attempt) => placeOf(attempt) === place) ?? attemptLog.at(-1);
}

interface ProgressProps {
  readonly pageRequest: PageRequest;
  readonly run: RunDetails;
  readonly attempt: Attempt | undefined;
}

function Progress({ pageRequest, run, attempt }: ProgressProps) {
  return (
    <div class="card pad stack">
      <div class="head">
        <div class="row">
          <RunStatus run={run} />
          {run.attempts > 0 && <ResponseCode code={run.responseCode} error={run.error} />}
          <span class="muted">
            {run.attempts} of {run.maxAttempts} attempts
            {run.durationMs !== null && ` in ${durationText(run.durationMs)}`}
          </span>
        </div>
        <div class="row">
          <span class="muted">
            <NextStep run={run} />
          </span>
          <RetryNow pageRequest={pageRequest} run={run} />
        </div>
      </div>
      <Failure run={run} />
      {run.attemptLog.length > 0 && (
        <AttemptBars
          attempts={run.attemptLog}
          pathOf={(one) => screenPath(pageRequest, pathOf(run.id), { attempt: placeOf(one) })}
          current={attempt}
        />
      )}
    </div>
  );
}

/** Says why the run failed, and what to do; or why its last attempt failed, while more are to come. */
function Failure({ run }: { readonly run: RunDetails }) {
  if (run.error === null || run.status === 'COMPLETED') return null;
  const { sentence, advice } = failureOfRun(run);
  if (run.status !== 'FAILED') return <p class="muted">{sentence}</p>;
  if (run.resolved) return <p class="muted">{sentence} A replay has succeeded since.</p>;
  return (
    <Note tone="bad" title={sentence}>
      {advice}
    </Note>
  );
}

/** The button that makes the next attempt due now, while the run waits for it. */
function RetryNow({ pageRequest, run }: { readonly pageRequest: PageRequest; readonly run: Run }) {
  const { nextAttemptAt, paused, waitsForEndpoint } = run;
  if (nextAttemptAt === null || paused || waitsForEndpoint) return null;
  if (Date.parse(nextAttemptAt) <= pageRequest.now) return null;
  return (
    <PostForm action={screenPath(pageRequest, `${pathOf(run.id)}/retry`)}>
      <Submit kind="small" label="Retry now" />
    </PostForm>
  );
}

function NextStep({ run }: { readonly run: Run }): ComponentChildren {
  if (run.completedAt !== null) return null;
  if (run.paused) return 'Waiting until the account is resumed';
  if (run.waitsForEndpoint) return 'Waiting for a free endpoint slot';
  if (run.nextAttemptAt === null) return 'Attempt in progress';
  return (
    <>
      Next attempt <Until at={run.nextAttemptAt} />
    </>
  );
}

const placeOf = ({ attempt, part }: Pick<Attempt, 'attempt' | 'part'>) => `${attempt}.${part}`;

const answerPath = (pageRequest: PageRequest, runId: string, attempt: Attempt) =>
  screenPath(pageRequest, `${pathOf(runId)}/answers/${placeOf(attempt)}`);

interface DetailsProps {
  readonly pageRequest: PageRequest;
  readonly run: RunDetails;
  readonly replays: Settled<{ readonly items: readonly Run[] }>;
}

function Details({ pageRequest, run, replays }: DetailsProps) {
  const link = (id: string) => (
    <a class="mono" href={screenPath(pageRequest, pathOf(id))}>
      <ShortId id={id} />
    </a>
  );
  const ownReplays = replays.ok ? replays.value.items.filter(({ replayOf }) => replayOf === run.id) : [];
  return (
    <Card title="Details">
      <Facts
        facts={{
          Event: (
            <>
              {run.moduleName}: {run.trigger}
            </>
          ),
          'API configuration': (
            <a href={screenPath(pageRequest, `api-configurations/${encodeURIComponent(run.apiConfigurationId)}`)}>
              {run.apiConfigurationName}
            </a>
          ),
          'Target URL': <Url url={run.targetUrl} />,
          Rule: <a href={screenPath(pageRequest, `rules/${encodeURIComponent(run.ruleId)}`)}>View the rule</a>,
          'Event id': run.eventId,
          Triggered: <Time at={run.triggeredAt} />,
          Completed: run.completedAt === null ? undefined : <Time at={run.completedAt} />,
          'Idempotency key': <code>{run.idempotencyKey}</code>,
          'Replay of': run.replayOf === null ? undefined : link(run.replayOf),
          'Bulk replay':
            run.bulkReplay === null ? undefined : (
              <a href={screenPath(pageRequest, `replays/${encodeURIComponent(run.bulkReplay)}`)}>
                <ShortId id={run.bulkReplay} />
              </a>
            ),
          'Resolved by': run.resolvedBy === null ? undefined : link(run.resolvedBy),
          Replays: run.replayOf === null ? `${run.replays} of ${REPLAYS_MAX}` : undefined,
        }}
      />
      {ownReplays.length > 0 && (
        <ul class="stack-s">
          {ownReplays.map((replay) => (
            <li key={replay.id} class="row">
              <RunStatus run={replay} /> {link(replay.id)} <Time at={replay.triggeredAt} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
