import type { ComponentChildren } from 'preact';
import { durationText } from '../components/durations.ts';
import { PostForm } from '../components/form.tsx';
import { FollowLink, Live } from '../components/live.tsx';
import { Code, Facts, Note, PageHead } from '../components/page-parts.tsx';
import { Ago, Time } from '../components/time.tsx';
import { type Aside, aside } from '../management/management.ts';
import { page, type Screen, screenPath, seeOther, type Visit } from '../pages/screen.ts';
import { AttemptBars } from './attempt-bars.tsx';
import { curlCommand } from './curl-command.ts';
import { type Attempt, type Run, RunDetails, RunId, RunPage } from './run-answers.ts';
import { ResponseCode, RunStatus, shortId } from './run-status.tsx';

/** Specification 001, section 8. */
const REPLAYS_MAX = 3;
/** What a page shows of a text; all of it is saved as a file. */
const SHOWN_MAX = 16_384;

const pathOf = (id: string) => `runs/${encodeURIComponent(id)}`;

/** One run with all that is stored of it, and what can be done about it. */
export const runScreen: Screen = async (visit) => {
  const { management, path } = visit;
  const id = path['id'] ?? '';
  const [run, replays] = await Promise.all([
    management.get(pathOf(id), RunDetails),
    aside(management.get('runs', RunPage, { replayOf: id, limit: '10' })),
  ]);
  const isOver = run.completedAt !== null;
  const progress = { isOver, content: <Progress visit={visit} run={run} /> };
  return page(
    `Run ${shortId(run.id)}`,
    <>
      <PageHead
        title={run.record}
        lead={<span class="mono">{run.id}</span>}
        under={[screenPath(visit, 'runs'), 'Delivery log']}
      >
        <button class="button" type="button" data-copies="curl">
          Copy as cURL
        </button>
        <Replay visit={visit} run={run} />
      </PageHead>
      <div class="stack">
        <Live name="progress" part={progress} reloadsAtEnd />
        <FollowLink isOver={isOver} />
        <div class="beside">
          <div class="stack">
            <Answer visit={visit} run={run} />
            <Payload visit={visit} run={run} />
            <section class="card pad stack">
              <h2>Headers</h2>
              <Facts facts={Object.fromEntries(run.headers.map(({ name, value }) => [name, <code>{value}</code>]))} />
            </section>
          </div>
          <Details visit={visit} run={run} replays={replays} />
        </div>
        <pre id="curl" hidden>
          {curlCommand(run)}
        </pre>
      </div>
    </>,
    { live: { progress } },
  );
};

/** Makes a new run of this one. */
export const replayScreen: Screen = async (visit) => {
  const id = visit.path['id'] ?? '';
  const run = await visit.management.send({ method: 'POST', path: `${pathOf(id)}/replay` }, RunId);
  return seeOther(screenPath(visit, pathOf(run.id)));
};

function Replay({ visit, run }: { readonly visit: Visit; readonly run: Run }) {
  // No button that cannot work: only an original that failed, is not resolved and has replays left.
  if (run.status !== 'FAILED' || run.replayOf !== null || run.resolved || run.replays >= REPLAYS_MAX) return null;
  return (
    <PostForm action={screenPath(visit, `${pathOf(run.id)}/replay`)}>
      <button class="button primary" type="submit">
        Replay
      </button>
    </PostForm>
  );
}

function Progress({ visit, run }: { readonly visit: Visit; readonly run: RunDetails }) {
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
        <AttemptBars attempts={run.attemptLog} answerPath={(attempt) => answerPath(visit, run.id, attempt)} />
      )}
    </div>
  );
}

function NextStep({ run }: { readonly run: Run }): ComponentChildren {
  if (run.completedAt !== null) return null;
  if (run.paused) return 'Waits until webhooks of the account go on';
  if (run.waitsForEndpoint) return 'Waits until the endpoint has room';
  if (run.nextAttemptAt === null) return 'An attempt is under way';
  return (
    <>
      Next attempt <Ago at={run.nextAttemptAt} />
    </>
  );
}

function Answer({ visit, run }: { readonly visit: Visit; readonly run: RunDetails }) {
  const answered = run.attemptLog.findLast(({ responseBody }) => responseBody !== null);
  return (
    <section class="card pad stack">
      <div class="head">
        <h2>Answer</h2>
        {answered && <a href={answerPath(visit, run.id, answered)}>Save as a file</a>}
      </div>
      {answered ? <AnswerText attempt={answered} /> : <p class="muted">The endpoint has not answered.</p>}
    </section>
  );
}

const answerPath = (visit: Visit, runId: string, { attempt, part }: Pick<Attempt, 'attempt' | 'part'>) =>
  screenPath(visit, `${pathOf(runId)}/answers/${attempt}.${part}`);

function AnswerText({ attempt }: { readonly attempt: Attempt }) {
  const { responseBody, responseBodyEncoding, responseBodyTruncated } = attempt;
  if (responseBodyEncoding === 'base64') return <p class="muted">The answer is no text. It can be saved as a file.</p>;
  if (!responseBody) return <p class="muted">The answer of attempt {attempt.attempt} was empty.</p>;
  return (
    <>
      <Code id="answer" text={responseBody.slice(0, SHOWN_MAX)} label="Answer of the endpoint" />
      {responseBodyTruncated && <p class="hint">The endpoint sent more; the first 16 KB are kept.</p>}
    </>
  );
}

function Payload({ visit, run }: { readonly visit: Visit; readonly run: RunDetails }) {
  const { payload } = run;
  return (
    <section class="card pad stack">
      <div class="head">
        <h2>Payload</h2>
        {payload && <a href={screenPath(visit, `${pathOf(run.id)}/payload`)}>Save as a file</a>}
      </div>
      {payload ? (
        <>
          <Code id="payload" text={payload.slice(0, SHOWN_MAX)} label="Payload" />
          {payload.length > SHOWN_MAX && <p class="hint">The first 16 KB of {payload.length} characters.</p>}
        </>
      ) : (
        <Note tone="warn">The payload was not kept: it was too large, or the time for which it is kept is over.</Note>
      )}
    </section>
  );
}

interface DetailsProps {
  readonly visit: Visit;
  readonly run: RunDetails;
  readonly replays: Aside<{ readonly items: readonly Run[] }>;
}

function Details({ visit, run, replays }: DetailsProps) {
  const link = (id: string) => (
    <a class="mono" href={screenPath(visit, pathOf(id))}>
      {shortId(id)}
    </a>
  );
  const made = replays.ok ? replays.value.items.filter(({ replayOf }) => replayOf === run.id) : [];
  return (
    <section class="card pad stack">
      <h2>Details</h2>
      <Facts
        facts={{
          Module: run.moduleName,
          Trigger: run.trigger,
          'API configuration': (
            <a href={screenPath(visit, `api-configurations/${encodeURIComponent(run.apiConfigurationId)}`)}>
              {run.apiConfigurationName}
            </a>
          ),
          'Target URL': run.targetUrl,
          Rule: <a href={screenPath(visit, `rules/${encodeURIComponent(run.ruleId)}`)}>{shortId(run.ruleId)}</a>,
          Event: run.eventId,
          Triggered: <Time at={run.triggeredAt} />,
          Completed: run.completedAt === null ? undefined : <Time at={run.completedAt} />,
          'Idempotency key': <code>{run.idempotencyKey}</code>,
          'Replay of': run.replayOf === null ? undefined : link(run.replayOf),
          'Bulk replay':
            run.bulkReplay === null ? undefined : (
              <a href={screenPath(visit, `replays/${encodeURIComponent(run.bulkReplay)}`)}>{shortId(run.bulkReplay)}</a>
            ),
          'Resolved by': run.resolvedBy === null ? undefined : link(run.resolvedBy),
          Replays: run.replayOf === null ? `${run.replays} of ${REPLAYS_MAX}` : undefined,
        }}
      />
      {made.length > 0 && (
        <ul class="stack-s">
          {made.map((replay) => (
            <li key={replay.id} class="row">
              <RunStatus run={replay} /> {link(replay.id)} <Time at={replay.triggeredAt} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
