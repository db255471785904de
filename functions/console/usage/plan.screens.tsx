import * as z from 'zod/mini';
import { Badge } from '../components/badge.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Choice, PostForm } from '../components/form.tsx';
import { Facts, Note, PageHead, Problem } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { type Aside, aside, type ManagementFailure } from '../management/management.ts';
import { type Page, page, type Screen, screenPath, seeOther, type Visit } from '../pages/screen.ts';
import { differencesOf, isPlan, PLANS, type ShownChange, shownOf } from './plan-change.ts';
import { accountPath } from './usage.screens.tsx';
import { Plan, PlanAndChange, type PlanChange } from './usage-answers.ts';
import { methodLabel, moneyText, PAYMENT_METHODS, planLabel, stateText } from './usage-words.ts';

/** Without a plan in the address, the plans to choose from; else what the change to that plan would do. */
export const planScreen: Screen = (visit) => {
  const to = visit.query.get('to') ?? '';
  if (!isPlan(to)) return choicePage(visit);
  return confirmPage(visit, { to, method: visit.query.get('method') ?? '' });
};

interface Offer {
  readonly plan: string;
  readonly change: Aside<PlanAndChange>;
}

async function choicePage(visit: Visit): Promise<Page> {
  const path = accountPath(visit, 'plan');
  const [current, ...offers] = await Promise.all([
    visit.management.get(path, Plan),
    ...PLANS.map(
      async (plan): Promise<Offer> => ({
        plan,
        change: await aside(visit.management.get(path, PlanAndChange, { to: plan })),
      }),
    ),
  ]);
  return page(
    'Change the plan',
    <>
      <PageHead
        title="Change the plan"
        lead="An upgrade applies at once, for the difference of the flat prices. A downgrade waits for the end of the period."
        under={[screenPath(visit, 'usage'), 'Usage and plan']}
      />
      <div class="card">
        <DataTable caption="Plans" columns={offerColumns(visit, current)} rows={offers} keyOf={({ plan }) => plan} />
      </div>
    </>,
  );
}

/** The plan that goes on unless another one is chosen. */
const isKept = (plan: string, current: Plan) => plan === current.plan && current.next === undefined;

const offerColumns = (visit: Visit, current: Plan): readonly Column<Offer>[] => [
  {
    title: 'Plan',
    class: 'strong middle',
    onPhone: 'first',
    cell: ({ plan }) => (
      <span class="row">
        {planLabel(plan)}
        {plan === current.plan && <Badge tone="ok" icon="check" label="Current" />}
        {plan === current.next?.plan && <Badge tone="info" icon="clock" label="Booked" />}
      </span>
    ),
  },
  {
    title: 'Takes effect',
    class: 'middle',
    onPhone: 'first',
    cell: ({ plan, change }) => {
      if (isKept(plan, current)) return '';
      return change.ok ? <Effect change={change.value.change} /> : change.failure.detail;
    },
  },
  {
    title: 'Charge before tax',
    class: 'middle nowrap',
    isRight: true,
    onPhone: 'second',
    cell: ({ plan, change }) => {
      if (!change.ok || isKept(plan, current)) return '';
      const { amount, currency } = change.value.change.charge;
      return moneyText(amount, currency);
    },
  },
  {
    title: 'Choose',
    isRight: true,
    onPhone: 'second',
    cell: ({ plan }) => {
      if (isKept(plan, current)) return '';
      return (
        <a class="button small" href={screenPath(visit, 'usage/plan', { to: plan })}>
          {plan === current.plan ? 'Stay on it' : 'Choose'}
          <span class="hidden"> {planLabel(plan)}</span>
        </a>
      );
    },
  },
];

const Effect = ({ change: { effective, at } }: { readonly change: PlanChange }) =>
  effective === 'now' ? <>At once</> : <Time at={at} />;

interface Wanted {
  readonly to: string;
  /** Blank: as it is. */
  readonly method: string;
}

/** Does what was shown, or shows what has changed since. */
export const changePlan: Screen = async (visit) => {
  const { form, management } = visit;
  const wanted = { to: form.text('to'), method: form.text('method') };
  const body = {
    plan: wanted.to,
    version: form.text('version'),
    ...(wanted.method !== '' && { paymentMethod: wanted.method }),
  };
  const call = { method: 'PUT', path: accountPath(visit, 'plan'), body } as const;
  const changed = await aside(management.send(call, z.unknown()));
  if (changed.ok) return seeOther(screenPath(visit, 'usage', { saved: 'plan' }));
  const shown = {
    effective: form.text('effective'),
    at: form.text('at'),
    amount: form.text('amount'),
    currency: form.text('currency'),
  };
  return confirmPage(visit, wanted, { failure: changed.failure, shown });
};

interface Refused {
  readonly failure: ManagementFailure;
  readonly shown: ShownChange;
}

async function confirmPage(visit: Visit, wanted: Wanted, refused?: Refused): Promise<Page> {
  const { to, method } = wanted;
  const path = accountPath(visit, 'plan');
  const [current, found] = await Promise.all([
    visit.management.get(path, Plan),
    aside(visit.management.get(path, PlanAndChange, { to, paymentMethod: method })),
  ]);
  const change = found.ok ? found.value.change : undefined;
  const title = `Change to ${planLabel(to)}?`;
  return page(
    title,
    <>
      <PageHead title={title} under={[screenPath(visit, 'usage/plan'), 'Plans']} />
      <div class="form stack">
        {refused && <NotChanged refused={refused} change={change} />}
        {!found.ok && <Problem failure={found.failure} />}
        {change && <ConfirmChange visit={visit} wanted={wanted} current={current} change={change} />}
        <form class="card pad stack" method="get" action={screenPath(visit, 'usage/plan')}>
          <input type="hidden" name="to" value={to} />
          <Choice
            name="method"
            label="Paid by"
            value={method}
            options={PAYMENT_METHODS}
            hint="Scale is paid by bank debit."
          />
          <div class="row">
            <button class="button" type="submit">
              Work out again
            </button>
          </div>
        </form>
      </div>
    </>,
    { status: refused?.failure.status ?? (found.ok ? 200 : found.failure.status) },
  );
}

function NotChanged({ refused: { failure, shown }, change }: { refused: Refused; change: PlanChange | undefined }) {
  if (failure.code !== 'plan-changed') return <Problem failure={failure} title="Nothing was changed." />;
  const differences = change ? differencesOf(shown, change) : [];
  return (
    <Note tone="warn" title="Nothing was changed yet.">
      The account has changed since this was shown.{' '}
      {differences.length > 0 ? differences.join(' ') : 'The charge and the date are the same.'} Look again, and confirm
      it.
    </Note>
  );
}

interface ConfirmChangeProps {
  readonly visit: Visit;
  readonly wanted: Wanted;
  readonly current: Plan;
  readonly change: PlanChange;
}

function ConfirmChange({ visit, wanted: { to, method }, current, change }: ConfirmChangeProps) {
  const { charge, version } = change;
  const sent = { to, method, version, ...shownOf(change) };
  return (
    <section class="card pad stack">
      <Facts
        facts={{
          Now: `${planLabel(current.plan)}: ${stateText(current.state)}`,
          Booked: current.next && (
            <>
              {planLabel(current.next.plan)} from <Time at={current.next.at} />
            </>
          ),
          Then: <strong>{planLabel(to)}</strong>,
          'Takes effect': <Effect change={change} />,
          'Charge before tax': <strong>{moneyText(charge.amount, charge.currency)}</strong>,
          'Paid by':
            method !== '' || current.paymentMethod ? methodLabel(method || current.paymentMethod || '') : undefined,
        }}
      />
      <PostForm class="row" action={screenPath(visit, 'usage/plan')}>
        {Object.entries(sent).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button class="button primary" type="submit">
          Change to {planLabel(to)}
        </button>
        <a class="button" href={screenPath(visit, 'usage')}>
          Cancel
        </a>
      </PostForm>
    </section>
  );
}
