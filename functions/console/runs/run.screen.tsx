import type { ComponentChildren } from 'preact';
import { REPLAYS_MAX } from '#shared/replay-limit';
import { durationText } from '../components/durations.ts';
import { PostForm } from '../components/form.tsx';
import { FollowLink, Live } from '../components/live.tsx';
import { Code, Facts, Note, PageHead } from '../components/page-parts.tsx';
import { Ago, Time } from '../components/time.tsx';
import { type Settled, settled } from '../management/management.ts';
import { type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { AttemptBars } from './attempt-bars.tsx';
import { curlCommand } from './curl-command.ts';
import { type Attempt, type Run, RunDetails, RunId, RunPage } from './run-answers.ts';
import { ResponseCode, RunStatus, shortId } from './run-status.tsx';

/** The most characters of a text on the page; the whole text can be saved as a file. */
const TEXT_MAX = 16_384;

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
  const progress = { isOver, content: <Progress pageRequest={pageRequest} run={run} /> };
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
        <Replay pageRequest={pageRequest} run={run} />
      </PageHead>
      <div class="stack">
        <Live name="progress" part={progress} reloadsAtEnd />
        <FollowLink isOver={isOver} />
        <div class="beside">
          <div class="stack">
            <Answer pageRequest={pageRequest} run={run} />
            <Payload pageRequest={pageRequest} run={run} />
            <section class="card pad stack">
              <h2>Headers</h2>
              <Facts facts={Object.fromEntries(run.headers.map(({ name, value }) => [name, <code>{value}</code>]))} />
            </section>
          </div>
          <Details pageRequest={pageRequest} run={run} replays={replays} />
        </div>
        <pre id="curl" hidden>
          {curlCommand(run)}
        </pre>
      </div>
    </>,
    { live: { progress } },
  );
};

/** Replays the run and redirects to the new one. */
export const replayScreen: Screen = async (pageRequest) => {
  const id = pageRequest.path['id'] ?? '';
  const run = await pageRequest.management.send({ method: 'POST', path: `${pathOf(id)}/replay` }, RunId);
  return seeOther(screenPath(pageRequest, pathOf(run.id)));
};

function Replay({ pageRequest, run }: { readonly pageRequest: PageRequest; readonly run: Run }) {
  // Only a failed original that is not resolved and has replays left can be replayed.
  if (run.status !== 'FAILED' || run.replayOf !== null || run.resolved || run.replays >= REPLAYS_MAX) return null;
  return (
    <PostForm action={screenPath(pageRequest, `${pathOf(run.id)}/replay`)}>
      <button class="button primary" type="submit">
        Replay
      </button>
    </PostForm>
  );
}

function Progress({ pageRequest, run }: { readonly pageRequest: PageRequest; readonly run: RunDetails }) {
  return (
    <div class="card pad stack">
      <div class="head">
        <div class="row">
          <RunStatus run={run} />
          <ResponseCode code={run.responseCode} error={run.error} />
          <span class="muted">
            {run.attempts} of {run.maxAttempts} attempts
            {run.durationMs !== null && ` in ${durationText(run.durationMs)}`}
          </span>
        </div>
        <span class="muted">
          <NextStep run={run} />
        </span>
      </div>
      {run.attemptLog.length > 0 && (
        <AttemptBars attempts={run.attemptLog} answerPath={(attempt) => answerPath(pageRequest, run.id, attempt)} />
      )}
    </div>
  );
}

function NextStep({ run }: { readonly run: Run }): ComponentChildren {
  if (run.completedAt !== null) return null;
  if (run.paused) return 'Waiting until the account is resumed';
  if (run.waitsForEndpoint) return 'Waiting for a free endpoint slot';
  if (run.nextAttemptAt === null) return 'Attempt in progress';
  return (
    <>
      Next attempt <Ago at={run.nextAttemptAt} />
    </>
  );
}

function Answer({ pageRequest, run }: { readonly pageRequest: PageRequest; readonly run: RunDetails }) {
  const answered = run.attemptLog.findLast(({ responseBody }) => responseBody !== null);
  return (
    <section class="card pad stack">
      <div class="head">
        <h2>Response</h2>
        {answered && <a href={answerPath(pageRequest, run.id, answered)}>Save as a file</a>}
      </div>
      {answered ? <AnswerText attempt={answered} /> : <p class="muted">No response yet.</p>}
    </section>
  );
}

const answerPath = (pageRequest: PageRequest, runId: string, { attempt, part }: Pick<Attempt, 'attempt' | 'part'>) =>
  screenPath(pageRequest, `${pathOf(runId)}/answers/${attempt}.${part}`);

function AnswerText({ attempt }: { readonly attempt: Attempt }) {
  const { responseBody, responseBodyEncoding, responseBodyTruncated } = attempt;
  if (responseBodyEncoding === 'base64') return <p class="muted">The response is not text. Save it as a file.</p>;
  if (!responseBody) return <p class="muted">The response to attempt {attempt.attempt} was empty.</p>;
  return (
    <>
      <Code id="answer" text={responseBody.slice(0, TEXT_MAX)} label="Endpoint response" />
      {responseBodyTruncated && <p class="hint">Only the first 16 KB of the response are stored.</p>}
    </>
  );
}

function Payload({ pageRequest, run }: { readonly pageRequest: PageRequest; readonly run: RunDetails }) {
  const { payload } = run;
  return (
    <section class="card pad stack">
      <div class="head">
        <h2>Payload</h2>
        {payload && <a href={screenPath(pageRequest, `${pathOf(run.id)}/payload`)}>Save as a file</a>}
      </div>
      {payload ? (
        <>
          <Code id="payload" text={payload.slice(0, TEXT_MAX)} label="Payload" />
          {payload.length > TEXT_MAX && (
            <p class="hint">
              The first {TEXT_MAX} of {payload.length} characters.
            </p>
          )}
        </>
      ) : (
        <Note tone="warn">The payload is not available: it was too large or has expired.</Note>
      )}
    </section>
  );
}

interface DetailsProps {
  readonly pageRequest: PageRequest;
  readonly run: RunDetails;
  readonly replays: Settled<{ readonly items: readonly Run[] }>;
}

function Details({ pageRequest, run, replays }: DetailsProps) {
  const link = (id: string) => (
    <a class="mono" href={screenPath(pageRequest, pathOf(id))}>
      {shortId(id)}
    </a>
  );
  const ownReplays = replays.ok ? replays.value.items.filter(({ replayOf }) => replayOf === run.id) : [];
  return (
    <section class="card pad stack">
      <h2>Details</h2>
      <Facts
        facts={{
          Module: run.moduleName,
          Trigger: run.trigger,
          'API configuration': (
            <a href={screenPath(pageRequest, `api-configurations/${encodeURIComponent(run.apiConfigurationId)}`)}>
              {run.apiConfigurationName}
            </a>
          ),
          'Target URL': run.targetUrl,
          Rule: <a href={screenPath(pageRequest, `rules/${encodeURIComponent(run.ruleId)}`)}>{shortId(run.ruleId)}</a>,
          Event: run.eventId,
          Triggered: <Time at={run.triggeredAt} />,
          Completed: run.completedAt === null ? undefined : <Time at={run.completedAt} />,
          'Idempotency key': <code>{run.idempotencyKey}</code>,
          'Replay of': run.replayOf === null ? undefined : link(run.replayOf),
          'Bulk replay':
            run.bulkReplay === null ? undefined : (
              <a href={screenPath(pageRequest, `replays/${encodeURIComponent(run.bulkReplay)}`)}>
                {shortId(run.bulkReplay)}
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
    </section>
  );
}
