import * as z from 'zod/mini';
import { Confirm } from '../components/confirm.tsx';
import { Code, PageHead, Problem } from '../components/page-parts.tsx';
import { aside } from '../management/management.ts';
import { page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { AttemptBars } from '../runs/attempt-bars.tsx';
import { Attempt } from '../runs/run-answers.ts';
import { apiPathOf, Configuration } from './configuration-answers.ts';

export const confirmDeletion: Screen = async (visit) => {
  const path = apiPathOf(visit.path['id']);
  const { name } = await visit.management.get(path, Configuration);
  return page(
    `Delete ${name}`,
    <>
      <PageHead title={`Delete ${name}?`} under={[screenPath(visit, path), name]} />
      <Confirm action={screenPath(visit, `${path}/delete`)} label="Delete" back={screenPath(visit, path)}>
        Its secret is gone for good. Runs that exist stay in the delivery log; those that are still to be sent fail.
      </Confirm>
    </>,
  );
};

export const deleteConfiguration: Screen = async (visit) => {
  const path = apiPathOf(visit.path['id']);
  const gone = await aside(visit.management.send({ method: 'DELETE', path }, z.unknown()));
  if (gone.ok || gone.failure.status === 404) return seeOther(screenPath(visit, 'api-configurations'));
  return page(
    'Not deleted',
    <>
      <PageHead title="Not deleted" under={[screenPath(visit, path), 'API configuration']} />
      <Problem failure={gone.failure} />
    </>,
    { status: gone.failure.status },
  );
};

/** What one POST to the endpoint gave. */
export const testCall: Screen = async (visit) => {
  const path = apiPathOf(visit.path['id']);
  const [{ name }, made] = await Promise.all([
    visit.management.get(path, Configuration),
    aside(visit.management.send({ method: 'POST', path: `${path}/test`, body: {} }, Attempt)),
  ]);
  return page(
    `Test call to ${name}`,
    <>
      <PageHead title="Test call" under={[screenPath(visit, path), name]} />
      {made.ok ? (
        <div class="stack">
          <section class="card pad stack">
            <AttemptBars attempts={[made.value]} />
          </section>
          <section class="card pad stack">
            <h2>Answer</h2>
            {made.value.responseBody ? (
              <Code id="answer" text={made.value.responseBody} label="Answer of the endpoint" />
            ) : (
              <p class="muted">There is no text in the answer.</p>
            )}
          </section>
        </div>
      ) : (
        <Problem failure={made.failure} />
      )}
    </>,
    { status: made.ok ? 200 : made.failure.status, reloadLeadsTo: screenPath(visit, path) },
  );
};
