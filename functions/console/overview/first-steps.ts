import { type Settled, settled } from '../management/management.ts';
import type { PageRequest } from '../pages/screen.ts';
import { AnyItems } from './overview-answers.ts';

type StepList = 'tokens' | 'configurations' | 'rules' | 'downloads' | 'keys' | 'places' | 'campaigns';

/** The lists that tell which steps were taken. */
export type StepAnswers = Readonly<Record<StepList, Settled<{ readonly items: readonly unknown[] }>>>;

/** A first step for a new tenant. */
interface FirstStep {
  /** The list that is not empty once the step was taken. */
  readonly list: StepList;
  readonly label: string;
  readonly text: string;
  /** The screen on which the step is taken. */
  readonly path: string;
}

const STEPS: readonly FirstStep[] = [
  {
    list: 'configurations',
    label: 'Send webhooks',
    text: 'Add an endpoint, then use rules to choose which events it receives.',
    path: 'api-configurations/new',
  },
  {
    list: 'rules',
    label: 'Choose events',
    text: 'A rule sends the events of one trigger to an endpoint. Try it with a test event.',
    path: 'rules/new',
  },
  {
    list: 'downloads',
    label: 'Search and download records',
    text: 'Try a query, preview ten records, then download every match.',
    path: 'search',
  },
  {
    list: 'keys',
    label: 'Convert data',
    text: 'Create a key for your servers to convert, normalize and validate.',
    path: 'keys',
  },
  {
    list: 'places',
    label: 'Add places',
    text: 'Customers check in at places for points.',
    path: 'places/-/new',
  },
  {
    list: 'campaigns',
    label: 'Start a campaign',
    text: 'Customers submit receipts or photos and earn points for valid ones.',
    path: 'campaigns/-/new',
  },
];

const LACKS_TOKEN = 'Needs a data token, which the operator of the service creates for your account.';

/** A first step, and whether it was taken. */
export interface StepState extends FirstStep {
  readonly isDone: boolean;
}

/** Returns the first steps of a tenant. Those of domains that do not respond are left out. */
export const stepStates = (answers: StepAnswers): readonly StepState[] =>
  STEPS.flatMap((step) => {
    const answer = answers[step.list];
    if (!answer.ok) return [];
    const { tokens } = answers;
    const lacksToken = step.list === 'downloads' && tokens.ok && tokens.value.items.length === 0;
    return [{ ...step, text: lacksToken ? LACKS_TOKEN : step.text, isDone: answer.value.items.length > 0 }];
  });

/** Reads the lists that tell which steps were taken, one entry of each. */
export async function stepAnswers({ management, tenant }: PageRequest): Promise<StepAnswers> {
  const read = (path: string) => settled(management.get(path, AnyItems, { limit: '1' }));
  const [tokens, configurations, rules, downloads, keys, places, campaigns] = await Promise.all([
    read(`accounts/${encodeURIComponent(tenant)}/data-tokens`),
    read('api-configurations'),
    read('rules'),
    read('requests'),
    read(`accounts/${encodeURIComponent(tenant)}/keys`),
    read('loyalty/places'),
    read('loyalty/campaigns'),
  ]);
  return { tokens, configurations, rules, downloads, keys, places, campaigns };
}
