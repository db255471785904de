import * as z from 'zod/mini';
import { LinkButton, Submit } from '../components/button.tsx';
import { noticeOf } from '../components/change-notice.tsx';
import { Pager } from '../components/data-table.tsx';
import { Field, PostForm, Select } from '../components/form.tsx';
import { Card, Empty, Facts, PageHead, Problem, Progress } from '../components/page-parts.tsx';
import { countOf, countText } from '../components/quantities.ts';
import { Time } from '../components/time.tsx';
import { type Settled, settled } from '../management/management.ts';
import { ACCEPTED, type RefusedForm, refusedForm } from '../pages/refused-form.ts';
import { type Page, type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { accountPath } from './account-path.ts';
import { InvoiceTable } from './invoices.tsx';
import { PeriodChart } from './period-chart.tsx';
import { expectedOverage, overagePriceOf, periodUsage } from './period-usage.ts';
import { twoMonthsTo } from './two-months.ts';
import { InvoicePage, Plan, Usage, type UsedDay, UsedDays } from './usage-answers.ts';
import { UsageChart } from './usage-chart.tsx';
import {
  CAP_CHOICES,
  type CapFields,
  capBodyOf,
  capFieldsOf,
  capText,
  methodLabel,
  moneyText,
  planLabel,
  shareText,
  stateText,
} from './usage-words.ts';

/** The number of invoices on this screen; a screen of its own lists all of them. */
const NEWEST = 5;

export const usageScreen: Screen = (pageRequest) => usagePage(pageRequest, undefined, ACCEPTED);

export const setSpendCap: Screen = async (pageRequest) => {
  const fields = { cap: pageRequest.form.text('cap'), amount: pageRequest.form.text('amount').trim() };
  const call = { method: 'PUT', path: accountPath(pageRequest, 'spend-cap'), body: capBodyOf(fields) } as const;
  const set = await settled(pageRequest.management.send(call, z.unknown()));
  if (set.ok) return seeOther(screenPath(pageRequest, 'usage', noticeOf('cap-saved')));
  const refused = refusedForm(set.failure);
  // Only the amount of this form can be invalid.
  const wrong = set.failure.code === 'invalid-input' ? { amount: 'Enter an amount, such as 75.00.' } : refused.wrong;
  return usagePage(pageRequest, fields, { ...refused, wrong, failure: wrong['amount'] ? undefined : set.failure });
};

async function usagePage(pageRequest: PageRequest, fields: CapFields | undefined, refused: RefusedForm): Promise<Page> {
  const { management, now } = pageRequest;
  const [usage, plan, days, invoices] = await Promise.all([
    management.get('usage', Usage),
    management.get(accountPath(pageRequest, 'plan'), Plan),
    settled(management.get('usage', UsedDays, { by: 'day', ...twoMonthsTo(now) })),
    settled(management.get(accountPath(pageRequest, 'invoices'), InvoicePage, { limit: String(NEWEST) })),
  ]);
  return page(
    'Usage and plan',
    <>
      <PageHead
        title="Usage and plan"
        lead={
          <>
            This period: <Time at={usage.periodStart} only="day" /> to <Time at={usage.periodEnd} only="day" />
          </>
        }
      >
        <LinkButton kind="primary" label="Change plan…" href={screenPath(pageRequest, 'usage/plan')} />
      </PageHead>
      <div class="stack">
        <Quotas usage={usage} plan={plan} days={days.ok ? days.value.days : []} />
        <Charts usage={usage} days={days} />
        <div class="columns">
          <PlanCard plan={plan} usage={usage} />
          <CapForm
            pageRequest={pageRequest}
            plan={plan}
            fields={fields ?? capFieldsOf(plan.spendCap)}
            refused={refused}
          />
        </div>
        <Invoices pageRequest={pageRequest} invoices={invoices} />
      </div>
    </>,
    { status: refused.status },
  );
}

interface ChartsProps {
  readonly usage: Usage;
  readonly days: Settled<z.output<typeof UsedDays>>;
}

function Charts({ usage, days }: ChartsProps) {
  if (!days.ok) return <Problem failure={days.failure} title="Conversions per day:" />;
  return (
    <div class="halves">
      <Card title="This period">
        <PeriodChart usage={usage} days={days.value.days} />
      </Card>
      <Card title="Two months">
        <UsageChart days={days.value.days} />
      </Card>
    </div>
  );
}

interface QuotasProps {
  readonly usage: Usage;
  readonly plan: Plan;
  readonly days: readonly UsedDay[];
}

function Quotas({ usage, plan, days }: QuotasProps) {
  const { liveUsed, liveIncluded, liveOverage, hardLimit, testUsed, testQuota, spend, currency } = usage;
  const overage = overagePriceOf(plan);
  const expected = expectedOverage(usage, plan, periodUsage(usage, days).expected);
  return (
    <div class="columns">
      <section class="card pad stack-s">
        <h2>Live conversions</h2>
        <p class="figure">{countText(liveUsed)}</p>
        <Progress done={liveUsed} all={liveIncluded} label="Used of the included conversions" />
        <p>
          {shareText(liveUsed, liveIncluded)}
          {liveOverage > 0 && `, ${countText(liveOverage)} extra`}
        </p>
        <p class="hint">
          {hardLimit !== null && `Stops at ${countText(hardLimit)}. `}
          {overage !== undefined && `Each further conversion costs ${moneyText(overage, currency)}. `}Resets{' '}
          <Time at={usage.periodEnd} />.
        </p>
      </section>
      <section class="card pad stack-s">
        <h2>Test pool</h2>
        <p class="figure">{countText(testUsed)}</p>
        <Progress done={testUsed} all={testQuota} label="Used of the test pool" />
        <p>{shareText(testUsed, testQuota)}</p>
        <p class="hint">One-time quota for the life of the account.</p>
      </section>
      <section class="card pad stack-s">
        <h2>Spend this period</h2>
        <p class="figure">{moneyText(spend.total, currency)}</p>
        <Facts
          facts={{
            'Flat price': spend.flat,
            Overage: overage && `${spend.overage} for ${countOf(liveOverage, 'conversion')}`,
            'Expected overage': expected && `About ${moneyText(expected, currency)} at this pace`,
            'Cap on overage': overage && capText(plan.spendCap, currency),
          }}
        />
        <p class="hint">Before tax.</p>
      </section>
    </div>
  );
}

function PlanCard({ plan, usage }: { readonly plan: Plan; readonly usage: Usage }) {
  const { next, paymentMethod } = plan;
  const { perSecond, burst } = usage.rateLimit;
  return (
    <Card title="Plan">
      <Facts
        facts={{
          Plan: <strong>{planLabel(plan.plan)}</strong>,
          State: stateText(plan.state),
          Then: next && (
            <>
              {planLabel(next.plan)} from <Time at={next.at} only="day" />
            </>
          ),
          'Payment method': paymentMethod && methodLabel(paymentMethod),
          'Rate limit': `${countOf(perSecond, 'request')} per second, bursts of ${countText(burst)}`,
        }}
      />
    </Card>
  );
}

interface CapFormProps {
  readonly pageRequest: PageRequest;
  readonly plan: Plan;
  readonly fields: CapFields;
  readonly refused: RefusedForm;
}

function CapForm({ pageRequest, plan, fields, refused: { wrong, failure } }: CapFormProps) {
  return (
    <Card title="Cap on overage">
      {failure && <Problem failure={failure} />}
      <PostForm class="stack" action={screenPath(pageRequest, 'usage/spend-cap')}>
        <Select
          name="cap"
          label="Overage limit per period"
          value={fields.cap}
          options={CAP_CHOICES}
          hint={
            overagePriceOf(plan) === undefined
              ? `${planLabel(plan.plan)} has no overage: beyond what is included, live conversions are refused. The cap applies on other plans.`
              : 'Beyond the cap, live conversions are refused until the period ends.'
          }
        />
        <div data-shown-for="cap=amount">
          <Field name="amount" label={`Amount in ${plan.currency}`} value={fields.amount} error={wrong['amount']} />
        </div>
        <div class="row">
          <Submit label="Save" />
        </div>
      </PostForm>
    </Card>
  );
}

interface InvoicesProps {
  readonly pageRequest: PageRequest;
  readonly invoices: Settled<z.output<typeof InvoicePage>>;
}

function Invoices({ pageRequest, invoices }: InvoicesProps) {
  return (
    <section class="card">
      <div class="head">
        <h2>Invoices</h2>
        {invoices.ok && invoices.value.nextCursor && (
          <a href={screenPath(pageRequest, 'usage/invoices')}>All invoices</a>
        )}
      </div>
      {!invoices.ok && <Problem failure={invoices.failure} />}
      {invoices.ok && invoices.value.items.length > 0 && (
        <InvoiceTable pageRequest={pageRequest} invoices={invoices.value.items} />
      )}
      {invoices.ok && invoices.value.items.length === 0 && (
        <p class="pad muted">None yet. A paid plan has an invoice when it is booked, and one per period.</p>
      )}
    </section>
  );
}

export const invoiceList: Screen = async (pageRequest) => {
  const cursor = pageRequest.query.get('cursor') ?? '';
  const query = { limit: '50', cursor };
  const { items, nextCursor } = await pageRequest.management.get(
    accountPath(pageRequest, 'invoices'),
    InvoicePage,
    query,
  );
  return page(
    'Invoices',
    <>
      <PageHead
        title="Invoices"
        lead="Amounts before tax, which the payment provider adds."
        under={[screenPath(pageRequest, 'usage'), 'Usage and plan']}
      />
      <div class="card">
        {items.length > 0 ? (
          <InvoiceTable pageRequest={pageRequest} invoices={items} />
        ) : (
          <Empty title="No invoice yet">A paid plan has an invoice when it is booked, and one per period.</Empty>
        )}
        <Pager
          newest={cursor === '' ? undefined : screenPath(pageRequest, 'usage/invoices')}
          older={nextCursor && screenPath(pageRequest, 'usage/invoices', { cursor: nextCursor })}
        />
      </div>
    </>,
  );
};
