import { Badge } from '../components/badge.tsx';
import { LinkButton } from '../components/button.tsx';
import { PageHead } from '../components/page-parts.tsx';
import { countText } from '../components/quantities.ts';
import { type PageRequest, page, type Screen, screenPath } from '../pages/screen.ts';
import { type StepState, stepAnswers, stepStates } from './first-steps.ts';

/** The first step with each service, and which of them are done. */
export const getStarted: Screen = async (pageRequest) => {
  const steps = stepStates(await stepAnswers(pageRequest));
  const done = steps.filter(({ isDone }) => isDone).length;
  return page(
    'Get started',
    <>
      <PageHead
        title="Get started"
        lead={`${countText(done)} of ${countText(steps.length)} steps are done. Each service works on its own.`}
        under={[screenPath(pageRequest, ''), 'Overview']}
      >
        <LinkButton label="Guides and API reference" href="/docs" />
      </PageHead>
      <FirstSteps pageRequest={pageRequest} steps={steps} />
    </>,
  );
};

interface FirstStepsProps {
  readonly pageRequest: PageRequest;
  readonly steps: readonly StepState[];
}

export const FirstSteps = ({ pageRequest, steps }: FirstStepsProps) => (
  <ol class="services steps">
    {steps.map(({ label, text, path, isDone }) => (
      <li key={label} class="card pad stack-s">
        <h2 class="row">
          {label} {isDone && <Badge tone="ok" icon="check" label="Done" />}
        </h2>
        <p class="muted">{text}</p>
        <p>
          <a href={screenPath(pageRequest, path)}>
            {isDone ? 'Do it again' : 'Start'}
            <span class="hidden">: {label}</span>
          </a>
        </p>
      </li>
    ))}
  </ol>
);
