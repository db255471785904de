import * as z from 'zod/mini';
import { Badge } from '../components/badge.tsx';
import { LinkButton, Submit } from '../components/button.tsx';
import { noticeOf } from '../components/change-notice.tsx';
import { PostForm, Select } from '../components/form.tsx';
import { Facts, Note, PageHead, Problem } from '../components/page-parts.tsx';
import { countOf, countText } from '../components/quantities.ts';
import { Time } from '../components/time.tsx';
import { type ManagementFailure, type Settled, settled } from '../management/management.ts';
import { type Page, type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { accountPath } from './account-path.ts';
import { type ChangeOffer, differencesOf, isPlan, offerOf } from './plan-change.ts';
import { Plan, PlanAndChange, type PlanChange, type PlanOffer, Usage } from './usage-answers.ts';
import { methodLabel, methodOptions, moneyText, needsMethod, planLabel, stateText } from './usage-words.ts';

/** The plans to choose from or, with a plan in the address, the confirmation of the change to it. */
export const planScreen: Screen = (pageRequest) => {
  const to = pageRequest.query.get('to') ?? '';
  if (!isPlan(to)) return choicePage(pageRequest);
  return confirmPage(pageRequest, { to, method: pageRequest.query.get('method') ?? '' });
};

interface Choice {
  readonly offer: PlanOffer;
  readonly change: Settled<PlanAndChange>;
}

async function choicePage(pageRequest: PageRequest): Promise<Page> {
  const path = accountPath(pageRequest, 'plan');
  const current = await pageRequest.management.get(path, Plan);
  const choices = await Promise.all(
    current.offers.map(
      async (offer): Promise<Choice> => ({
        offer,
        change: await settled(pageRequest.management.get(path, PlanAndChange, { to: offer.plan })),
      }),
    ),
  );
  return page(
    'Change plan',
    <>
      <PageHead
        title="Change plan"
        lead="An upgrade takes effect at once and costs the difference of the flat prices. A downgrade takes effect at the end of the period. Prices are per period of a month, before tax."
        under={[screenPath(pageRequest, 'usage'), 'Usage and plan']}
      />
      <ul class="plans">
        {choices.map((choice) => (
          <PlanCard key={choice.offer.plan} pageRequest={pageRequest} choice={choice} current={current} />
        ))}
      </ul>
    </>,
  );
}

/** Returns whether this is the current plan, and no other one is booked. */
const isCurrent = (plan: string, current: Plan) => plan === current.plan && current.next === undefined;

interface PlanCardProps {
  readonly pageRequest: PageRequest;
  readonly choice: Choice;
  readonly current: Plan;
}

/** A plan with its price and limits, and what changing to it would do. */
function PlanCard({ pageRequest, choice: { offer, change }, current }: PlanCardProps) {
  const { plan, price, included, overage, rateLimit } = offer;
  return (
    <li class={plan === current.plan ? 'card pad stack plan current' : 'card pad stack plan'}>
      <h2 class="row">
        {planLabel(plan)}
        {plan === current.plan && <Badge tone="ok" icon="check" label="Current" />}
        {plan === current.next?.plan && <Badge tone="info" icon="clock" label="Scheduled" />}
      </h2>
      <p>
        <span class="figure">{moneyText(price, current.currency)}</span> <span class="muted">a month</span>
      </p>
      <Facts
        facts={{
          Included: countOf(included, 'conversion'),
          Beyond: overage === undefined ? 'Refused' : `${moneyText(overage, current.currency)} each`,
          'Rate limit': `${countText(rateLimit.perSecond)} per second, bursts of ${countText(rateLimit.burst)}`,
        }}
      />
      {!isCurrent(plan, current) && <Change pageRequest={pageRequest} plan={plan} change={change} current={current} />}
    </li>
  );
}

interface ChangeProps extends Pick<PlanCardProps, 'pageRequest' | 'current'> {
  readonly plan: string;
  readonly change: Settled<PlanAndChange>;
}

/** The time and cost of a change to a plan, with the link that confirms it. */
function Change({ pageRequest, plan, change, current }: ChangeProps) {
  const { next } = current;
  return (
    <div class="stack-s change">
      <p class="muted small">
        {change.ok ? <Terms change={change.value.change} plan={plan} /> : change.failure.detail}
        {plan === current.plan && next && ` Cancels the change to ${planLabel(next.plan)}.`}
      </p>
      <div>
        <LinkButton
          label={`${plan === current.plan ? 'Keep' : 'Choose'} ${planLabel(plan)}`}
          href={screenPath(pageRequest, 'usage/plan', { to: plan })}
        />
      </div>
    </div>
  );
}

const Terms = ({ change, plan }: { readonly change: PlanChange; readonly plan: string }) => (
  <>
    Takes effect: <Effect change={change} plan={plan} />. Charge now:{' '}
    <strong>{moneyText(change.charge.amount, change.charge.currency)}</strong>.
  </>
);

/** @param plan to which is changed: Scale has its own limits once its first payment has settled */
function Effect({ change: { effective, at }, plan }: { readonly change: PlanChange; readonly plan: string }) {
  if (effective !== 'now') return <Time at={at} />;
  return plan === 'scale' ? (
    <>Immediately, with the limits of Growth until the first payment settles</>
  ) : (
    <>Immediately</>
  );
}

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
  if (changed.ok)
    return seeOther(
      screenPath(pageRequest, 'usage', noticeOf(form.text('effective') === 'now' ? 'plan-changed' : 'plan-scheduled')),
    );
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
  const [current, usage, result] = await Promise.all([
    pageRequest.management.get(path, Plan),
    settled(pageRequest.management.get('usage', Usage)),
    settled(pageRequest.management.get(path, PlanAndChange, { to, paymentMethod: method })),
  ]);
  const change = result.ok ? result.value.change : undefined;
  const isComplete = method !== '' || !needsMethod(to, current);
  const offer = current.offers.find(({ plan }) => plan === to);
  const used = usage.ok ? usage.value.liveUsed : 0;
  const title = `Change to ${planLabel(to)}?`;
  return page(
    title,
    <>
      <PageHead title={title} under={[screenPath(pageRequest, 'usage/plan'), 'Change plan']} />
      <div class="form stack">
        {refused && <NotChanged refused={refused} change={change} />}
        {!result.ok && <Problem failure={result.failure} />}
        {offer && used > offer.included && <TooFew used={used} offer={offer} />}
        {change && isComplete && (
          <ConfirmChange pageRequest={pageRequest} request={request} current={current} offer={offer} change={change} />
        )}
        <form class="card pad stack" method="get" action={screenPath(pageRequest, 'usage/plan')}>
          <input type="hidden" name="to" value={to} />
          <Select
            name="method"
            label="Payment method"
            value={method}
            options={methodOptions(to, current)}
            error={pageRequest.query.has('method') && !isComplete ? 'Choose a payment method' : undefined}
            hint={isComplete ? undefined : 'Scale is paid by bank debit. Choose it to see the charge and to confirm.'}
          />
          <div class="row">
            <Submit label={isComplete ? 'Recalculate' : 'Continue'} />
          </div>
        </form>
      </div>
    </>,
    { status: refused?.failure.status ?? (result.ok ? 200 : result.failure.status) },
  );
}

/** A plan whose included conversions are fewer than those of this period. */
const TooFew = ({ used, offer: { plan, included, overage } }: { readonly used: number; readonly offer: PlanOffer }) => (
  <Note tone="warn" title={`${planLabel(plan)} includes ${countOf(included, 'conversion')} a period.`}>
    {countText(used)} are used in this one.{' '}
    {overage === undefined ? 'Further ones would be refused.' : 'Further ones cost extra.'}
  </Note>
);

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
  readonly offer: PlanOffer | undefined;
  readonly change: PlanChange;
}

function ConfirmChange({ pageRequest, request: { to, method }, current, offer, change }: ConfirmChangeProps) {
  const { charge, version } = change;
  const sent = { to, method, version, ...offerOf(change) };
  return (
    <section class="card pad stack">
      <Facts
        facts={{
          Now: `${planLabel(current.plan)}: ${stateText(current.state)}`,
          Scheduled: current.next && (
            <>
              {planLabel(current.next.plan)} from <Time at={current.next.at} />
            </>
          ),
          Then: <strong>{planLabel(to)}</strong>,
          Price: offer && `${moneyText(offer.price, current.currency)} a month`,
          Included: offer && countOf(offer.included, 'conversion'),
          Beyond: offer && (offer.overage ? `${moneyText(offer.overage, current.currency)} each` : 'Refused'),
          'Takes effect': <Effect change={change} plan={to} />,
          'Charge before tax': <strong>{moneyText(charge.amount, charge.currency)}</strong>,
          'Payment method':
            method !== '' || current.paymentMethod ? methodLabel(method || current.paymentMethod || '') : undefined,
        }}
      />
      <PostForm class="row" action={screenPath(pageRequest, 'usage/plan')} sends={{ plan: to }}>
        {Object.entries(sent).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Submit kind="primary" label={`Change to ${planLabel(to)}`} />
        <LinkButton label="Cancel" href={screenPath(pageRequest, 'usage')} />
      </PostForm>
    </section>
  );
}
