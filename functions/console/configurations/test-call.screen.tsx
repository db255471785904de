import * as z from 'zod/mini';
import { Submit } from '../components/button.tsx';
import { PostForm } from '../components/form.tsx';
import { Note, PageHead, Problem } from '../components/page-parts.tsx';
import { settled } from '../management/management.ts';
import { page, type Screen, screenPath } from '../pages/screen.ts';
import { AttemptBars } from '../runs/attempt-bars.tsx';
import { RequestCard, ResponseCard } from '../runs/exchange.tsx';
import { failureOfAttempt, statusText } from '../runs/failure-cause.ts';
import { Attempt, SentHeaders } from '../runs/run-answers.ts';
import { apiPathOf, Configuration } from './configuration-answers.ts';

const TestResult = z.extend(Attempt, { payload: z.string(), headers: SentHeaders });

/** Sends one POST to the endpoint, and shows the request beside the response. */
export const testCall: Screen = async (pageRequest) => {
  const path = apiPathOf(pageRequest.path['id']);
  const [{ name }, call] = await Promise.all([
    pageRequest.management.get(path, Configuration),
    settled(pageRequest.management.send({ method: 'POST', path: `${path}/test`, body: {} }, TestResult)),
  ]);
  return page(
    `Test call to ${name}`,
    <>
      <PageHead
        title="Test call"
        lead="Not recorded in the delivery log."
        under={[screenPath(pageRequest, path), name]}
      >
        <PostForm action={screenPath(pageRequest, `${path}/test`)}>
          <Submit kind="primary" label="Send again" />
        </PostForm>
      </PageHead>
      {call.ok ? <Exchange result={call.value} /> : <Problem failure={call.failure} />}
    </>,
    { status: call.ok ? 200 : call.failure.status, reloadLeadsTo: screenPath(pageRequest, path) },
  );
};

function Exchange({ result }: { readonly result: z.output<typeof TestResult> }) {
  return (
    <div class="stack">
      <Verdict result={result} />
      <section class="card pad stack">
        <AttemptBars attempts={[result]} />
      </section>
      <div class="halves">
        <RequestCard targetUrl={result.targetUrl} headers={result.headers} payload={result.payload} />
        <ResponseCard attempt={result} isOne />
      </div>
    </div>
  );
}

function Verdict({ result }: { readonly result: Attempt }) {
  if (result.outcome === 'succeeded') {
    return (
      <Note tone="ok" title="It works.">
        The endpoint answered {statusText(result.responseCode)}, so a webhook would count as delivered.
      </Note>
    );
  }
  const { sentence, advice } = failureOfAttempt(result);
  return (
    <Note tone="bad" title={sentence}>
      {advice}
    </Note>
  );
}
