import { settled } from '../management/management.ts';
import type { PageRequest } from '../pages/screen.ts';
import { AnyItems } from './overview-answers.ts';

/** A first step for a new tenant. */
interface FirstStep {
  /** The list that is not empty once the step was taken. */
  readonly list: string;
  readonly label: string;
  readonly text: string;
  /** The screen on which the step is taken. */
  readonly path: string;
}

const STEPS: readonly FirstStep[] = [
  {
    list: 'api-configurations',
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
    list: 'requests',
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
    list: 'loyalty/places',
    label: 'Add places',
    text: 'Customers check in at places for points.',
    path: 'places/-/new',
  },
  {
    list: 'loyalty/campaigns',
    label: 'Start a campaign',
    text: 'Customers submit receipts or photos and earn points for valid ones.',
    path: 'campaigns/-/new',
  },
];

/** A first step, and whether it was taken. */
export interface StepState extends FirstStep {
  readonly isDone: boolean;
}

/** Returns the first steps of a tenant. Those of domains that do not respond are left out. */
export async function firstSteps({ management, tenant }: PageRequest): Promise<readonly StepState[]> {
  const states = await Promise.all(
    STEPS.map(async (step) => {
      const list = step.list === 'keys' ? `accounts/${encodeURIComponent(tenant)}/keys` : step.list;
      const existing = await settled(management.get(list, AnyItems, { limit: '1' }));
      return existing.ok ? [{ ...step, isDone: existing.value.items.length > 0 }] : [];
    }),
  );
  return states.flat();
}
