import { Submit } from '../components/button.tsx';
import { Field, PostForm, Select } from '../components/form.tsx';
import { Card, Facts, Note, PageHead, Problem } from '../components/page-parts.tsx';
import { countOf, countText } from '../components/quantities.ts';
import { ShortId } from '../components/short-id.tsx';
import { type DataToken, DataTokenPage } from '../keys/key-answers.ts';

import { type ManagementFailure, settled } from '../management/management.ts';
import { type Page, type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { shortId } from '../runs/run-status.tsx';
import { RecordSchema, SearchResult } from '../search/search-answers.ts';
import { viewOptions } from '../search/search-form.tsx';
import { typeLabel } from '../search/search-query.ts';
import { DownloadId } from './download-answers.ts';
import { bodyOf, costOf, type DownloadOrder, FORMATS, type OrderCost, orderIn, payersOf } from './download-order.ts';

/** The records and credits of a download, before it is started. */
export const newDownload: Screen = (pageRequest) => {
  const order = orderIn((name) => pageRequest.query.get(name) ?? '');
  if (order.type === '' || order.q === '') return seeOther(screenPath(pageRequest, 'search'));
  return orderPage(pageRequest, order, undefined);
};

export const startDownload: Screen = async (pageRequest) => {
  const order = orderIn((name) => pageRequest.form.text(name));
  const call = { method: 'POST', path: 'requests', body: bodyOf(order) } as const;
  const started = await settled(pageRequest.management.send(call, DownloadId));
  if (started.ok) return seeOther(screenPath(pageRequest, `downloads/${started.value.id}`));
  return orderPage(pageRequest, order, started.failure);
};

async function orderPage(
  pageRequest: PageRequest,
  order: DownloadOrder,
  failure: ManagementFailure | undefined,
): Promise<Page> {
  const { management, tenant } = pageRequest;
  const type = encodeURIComponent(order.type);
  const [schema, matches, tokens] = await Promise.all([
    management.get(`schemas/${type}`, RecordSchema),
    settled(management.get(`data/${type}`, SearchResult, { q: order.q, view: order.view, records: '0' })),
    management.get(`accounts/${encodeURIComponent(tenant)}/data-tokens`, DataTokenPage, { limit: '100' }),
  ]);
  const payers = payersOf(tokens.items);
  const total = matches.ok ? matches.value.estimatedTotal : 0;
  const cost = matches.ok ? costOf(order, total, payers) : undefined;
  const search = screenPath(pageRequest, 'search', { type: order.type, q: order.q, view: order.view });
  return page(
    'Download records',
    <>
      <PageHead title="Download records" lead={<code>{order.q}</code>} under={[search, 'Search']} />
      <div class="beside">
        <OrderForm pageRequest={pageRequest} order={order} schema={schema} payers={payers} cost={cost} />
        <Card title="This download">
          {failure && <Problem failure={failure} title="The download was not started." />}
          {!matches.ok && <Problem failure={matches.failure} />}
          {matches.ok && cost && <Cost pageRequest={pageRequest} order={order} total={total} cost={cost} />}
        </Card>
      </div>
    </>,
    { status: failure?.status ?? (matches.ok ? 200 : matches.failure.status) },
  );
}

interface OrderFormProps {
  readonly pageRequest: PageRequest;
  readonly order: DownloadOrder;
  readonly schema: RecordSchema;
  readonly payers: readonly DataToken[];
  readonly cost: OrderCost | undefined;
}

function OrderForm({ pageRequest, order, schema, payers, cost }: OrderFormProps) {
  const wrong: Readonly<Record<string, string>> = cost && !cost.ok ? { [cost.field]: cost.reason } : {};
  return (
    <form class="form card pad" method="get" action={screenPath(pageRequest, 'downloads/new')}>
      <input type="hidden" name="type" value={order.type} />
      <input type="hidden" name="q" value={order.q} />
      <Select
        name="view"
        label="View"
        value={order.view}
        options={viewOptions(schema)}
        hint="The fields of each record. In CSV, views ending in Flat have a row for each element of one field."
      />
      <div class="pair">
        <Select name="format" label="Format" value={order.format} options={FORMATS} />
        <Field
          name="records"
          label="Max records"
          value={order.records}
          hint="Leave empty to download all matches."
          error={wrong['records']}
        />
      </div>
      <Select
        name="tokenId"
        label="Charge to"
        value={order.tokenId}
        options={payers.map((token, index) => [index === 0 ? '' : token.id, tokenText(token)])}
        error={wrong['tokenId']}
      />
      <div class="row">
        <Submit label="Calculate cost" />
      </div>
    </form>
  );
}

const tokenText = ({ id, planId, availableDownloads }: DataToken) =>
  `${shortId(id)}, plan ${planId}, ${countOf(availableDownloads, 'credit')}`;

interface CostProps {
  readonly pageRequest: PageRequest;
  readonly order: DownloadOrder;
  readonly total: number;
  readonly cost: OrderCost;
}

function Cost({ pageRequest, order, total, cost }: CostProps) {
  if (total === 0) return <Note tone="warn">No records match.</Note>;
  if (!cost.ok) return <Note tone="warn">{cost.reason}</Note>;
  const { credits, token, remaining } = cost;
  // The order is limited to the displayed number, even if more records match by then.
  const fields = { ...order, tokenId: token.id, records: String(credits) };
  return (
    <>
      <Facts
        facts={{
          'Record type': typeLabel(order.type),
          'Estimated total': countText(total),
          Records: countOf(credits, 'record'),
          'Charge to': <ShortId id={token.id} />,
          Cost: countOf(credits, 'credit'),
          'Remaining credits': countOf(remaining, 'credit'),
        }}
      />
      <PostForm action={screenPath(pageRequest, 'downloads/new')} sends={bodyOf(fields)}>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Submit kind="primary" label={`Start for ${countOf(credits, 'credit')}`} />
      </PostForm>
      <p class="hint">
        Credits are charged at once and refunded for records that can't be delivered. Files are kept for 7 days.
      </p>
    </>
  );
}
