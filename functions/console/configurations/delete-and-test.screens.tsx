import * as z from 'zod/mini';
import { Confirm } from '../components/confirm.tsx';
import { Code, PageHead, Problem } from '../components/page-parts.tsx';
import { settled } from '../management/management.ts';
import { page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { AttemptBars } from '../runs/attempt-bars.tsx';
import { Attempt } from '../runs/run-answers.ts';
import { apiPathOf, Configuration } from './configuration-answers.ts';

export const confirmDeletion: Screen = async (pageRequest) => {
  const path = apiPathOf(pageRequest.path['id']);
  const { name } = await pageRequest.management.get(path, Configuration);
  return page(
    `Delete ${name}`,
    <>
      <PageHead title={`Delete ${name}?`} under={[screenPath(pageRequest, path), name]} />
      <Confirm action={screenPath(pageRequest, `${path}/delete`)} label="Delete" back={screenPath(pageRequest, path)}>
        Its secret is deleted permanently. Existing runs stay in the delivery log; pending deliveries fail. This can't
        be undone.
      </Confirm>
    </>,
  );
};

export const deleteConfiguration: Screen = async (pageRequest) => {
  const path = apiPathOf(pageRequest.path['id']);
  const gone = await settled(pageRequest.management.send({ method: 'DELETE', path }, z.unknown()));
  if (gone.ok || gone.failure.status === 404) return seeOther(screenPath(pageRequest, 'api-configurations'));
  return page(
    'Not deleted',
    <>
      <PageHead title="Not deleted" under={[screenPath(pageRequest, path), 'API configuration']} />
      <Problem failure={gone.failure} />
    </>,
    { status: gone.failure.status },
  );
};

/** Sends one POST to the endpoint and shows the result. */
export const testCall: Screen = async (pageRequest) => {
  const path = apiPathOf(pageRequest.path['id']);
  const [{ name }, call] = await Promise.all([
    pageRequest.management.get(path, Configuration),
    settled(pageRequest.management.send({ method: 'POST', path: `${path}/test`, body: {} }, Attempt)),
  ]);
  return page(
    `Test call to ${name}`,
    <>
      <PageHead title="Test call" under={[screenPath(pageRequest, path), name]} />
      {call.ok ? (
        <div class="stack">
          <section class="card pad stack">
            <AttemptBars attempts={[call.value]} />
          </section>
          <section class="card pad stack">
            <h2>Response</h2>
            {call.value.responseBody ? (
              <Code id="answer" text={call.value.responseBody} label="Endpoint response" />
            ) : (
              <p class="muted">The response has no body.</p>
            )}
          </section>
        </div>
      ) : (
        <Problem failure={call.failure} />
      )}
    </>,
    { status: call.ok ? 200 : call.failure.status, reloadLeadsTo: screenPath(pageRequest, path) },
  );
};
