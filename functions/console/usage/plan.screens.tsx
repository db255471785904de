import * as z from 'zod/mini';
import { Badge } from '../components/badge.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { PostForm, Select } from '../components/form.tsx';
import { Facts, Note, PageHead, Problem } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { type ManagementFailure, type Settled, settled } from '../management/management.ts';
import { type Page, type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { type ChangeOffer, differencesOf, isPlan, offerOf, PLANS } from './plan-change.ts';
import { accountPath } from './usage.screens.tsx';
import { Plan, PlanAndChange, type PlanChange } from './usage-answers.ts';
import { methodLabel, moneyText, PAYMENT_METHODS, planLabel, stateText } from './usage-words.ts';

/** The plans to choose from or, with a plan in the address, the confirmation of the change to it. */
export const planScreen: Screen = (pageRequest) => {
  const to = pageRequest.query.get('to') ?? '';
  if (!isPlan(to)) return choicePage(pageRequest);
  return confirmPage(pageRequest, { to, method: pageRequest.query.get('method') ?? '' });
};

interface Offer {
  readonly plan: string;
  readonly change: Settled<PlanAndChange>;
}

async function choicePage(pageRequest: PageRequest): Promise<Page> {
  const path = accountPath(pageRequest, 'plan');
  const [current, ...offers] = await Promise.all([
    pageRequest.management.get(path, Plan),
    ...PLANS.map(
      async (plan): Promise<Offer> => ({
        plan,
        change: await settled(pageRequest.management.get(path, PlanAndChange, { to: plan })),
      }),
    ),
  ]);
  return page(
    'Change plan',
    <>
      <PageHead
        title="Change plan"
        lead="An upgrade takes effect at once and costs the difference of the flat prices. A downgrade takes effect at the end of the period."
        under={[screenPath(pageRequest, 'usage'), 'Usage and plan']}
      />
      <div class="card">
        <DataTable
          caption="Plans"
          columns={offerColumns(pageRequest, current)}
          rows={offers}
          keyOf={({ plan }) => plan}
        />
      </div>
    </>,
  );
}

/** Returns whether this is the current plan, and no other one is booked. */
const isCurrent = (plan: string, current: Plan) => plan === current.plan && current.next === undefined;

const offerColumns = (pageRequest: PageRequest, current: Plan): readonly Column<Offer>[] => [
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
      if (isCurrent(plan, current)) return '';
      return change.ok ? <Effect change={change.value.change} /> : change.failure.detail;
    },
  },
  {
    title: 'Charge before tax',
    class: 'middle nowrap',
    isRight: true,
    onPhone: 'second',
    cell: ({ plan, change }) => {
      if (!change.ok || isCurrent(plan, current)) return '';
      const { amount, currency } = change.value.change.charge;
      return moneyText(amount, currency);
    },
  },
  {
    title: 'Choose',
    isRight: true,
    onPhone: 'second',
    cell: ({ plan }) => {
      if (isCurrent(plan, current)) return '';
      return (
        <a class="button small" href={screenPath(pageRequest, 'usage/plan', { to: plan })}>
          {plan === current.plan ? 'Keep' : 'Choose'}
          <span class="hidden"> {planLabel(plan)}</span>
        </a>
      );
    },
  },
];

const Effect = ({ change: { effective, at } }: { readonly change: PlanChange }) =>
  effective === 'now' ? <>Immediately</> : <Time at={at} />;

interface ChangeRequest {
  readonly to: string;
  /** The payment method; empty for no change. */
  readonly method: string;
}

/** Changes the plan as confirmed, or shows what has changed since. */
export const changePlan: Screen = async (pageRequest) => {
  const { form, management } = pageRequest;
  const request = { to: form.text('to'), method: form.text('method') };
  const body = {
    plan: request.to,
    version: form.text('version'),
    ...(request.method !== '' && { paymentMethod: request.method }),
  };
  const call = { method: 'PUT', path: accountPath(pageRequest, 'plan'), body } as const;
  const changed = await settled(management.send(call, z.unknown()));
  if (changed.ok) return seeOther(screenPath(pageRequest, 'usage', { saved: 'plan' }));
  const offer = {
    effective: form.text('effective'),
    at: form.text('at'),
    amount: form.text('amount'),
    currency: form.text('currency'),
  };
  return confirmPage(pageRequest, request, { failure: changed.failure, offer });
};

interface Refused {
  readonly failure: ManagementFailure;
  readonly offer: ChangeOffer;
}

async function confirmPage(pageRequest: PageRequest, request: ChangeRequest, refused?: Refused): Promise<Page> {
  const { to, method } = request;
  const path = accountPath(pageRequest, 'plan');
  const [current, result] = await Promise.all([
    pageRequest.management.get(path, Plan),
    settled(pageRequest.management.get(path, PlanAndChange, { to, paymentMethod: method })),
  ]);
  const change = result.ok ? result.value.change : undefined;
  const title = `Change to ${planLabel(to)}?`;
  return page(
    title,
    <>
      <PageHead title={title} under={[screenPath(pageRequest, 'usage/plan'), 'Plans']} />
      <div class="form stack">
        {refused && <NotChanged refused={refused} change={change} />}
        {!result.ok && <Problem failure={result.failure} />}
        {change && <ConfirmChange pageRequest={pageRequest} request={request} current={current} change={change} />}
        <form class="card pad stack" method="get" action={screenPath(pageRequest, 'usage/plan')}>
          <input type="hidden" name="to" value={to} />
          <Select
            name="method"
            label="Payment method"
            value={method}
            options={PAYMENT_METHODS}
            hint="Scale requires bank debit."
          />
          <div class="row">
            <button class="button" type="submit">
              Recalculate
            </button>
          </div>
        </form>
      </div>
    </>,
    { status: refused?.failure.status ?? (result.ok ? 200 : result.failure.status) },
  );
}

function NotChanged({ refused: { failure, offer }, change }: { refused: Refused; change: PlanChange | undefined }) {
  if (failure.code !== 'plan-changed') return <Problem failure={failure} title="The plan was not changed." />;
  const differences = change ? differencesOf(offer, change) : [];
  return (
    <Note tone="warn" title="The plan was not changed yet.">
      The account has changed since you opened this page.{' '}
      {differences.length > 0 ? differences.join(' ') : 'The charge and the date are the same.'} Check it and confirm
      again.
    </Note>
  );
}

interface ConfirmChangeProps {
  readonly pageRequest: PageRequest;
  readonly request: ChangeRequest;
  readonly current: Plan;
  readonly change: PlanChange;
}

function ConfirmChange({ pageRequest, request: { to, method }, current, change }: ConfirmChangeProps) {
  const { charge, version } = change;
  const sent = { to, method, version, ...offerOf(change) };
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
          'Payment method':
            method !== '' || current.paymentMethod ? methodLabel(method || current.paymentMethod || '') : undefined,
        }}
      />
      <PostForm class="row" action={screenPath(pageRequest, 'usage/plan')}>
        {Object.entries(sent).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button class="button primary" type="submit">
          Change to {planLabel(to)}
        </button>
        <a class="button" href={screenPath(pageRequest, 'usage')}>
          Cancel
        </a>
      </PostForm>
    </section>
  );
}
