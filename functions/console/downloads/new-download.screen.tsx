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

/** Starts the download, or calculates its cost: two buttons of one form, so that what is started is what is displayed. */
export const startDownload: Screen = async (pageRequest) => {
  const { form, management } = pageRequest;
  const order = orderIn((name) => form.text(name));
  if (form.text(ACT) !== START) return seeOther(screenPath(pageRequest, 'downloads/new', { ...order }));
  if (form.text(COUNTED) !== countedOf(order)) return orderPage(pageRequest, order, 'changed');
  // The order is limited to the displayed number, even if more records match by now.
  const body = bodyOf({ ...order, records: form.text('credits'), tokenId: form.text('payer') });
  const started = await settled(management.send({ method: 'POST', path: 'requests', body }, DownloadId));
  if (started.ok) return seeOther(screenPath(pageRequest, `downloads/${started.value.id}`));
  return orderPage(pageRequest, order, started.failure);
};

/** The field that says which of the two buttons was used. */
const ACT = 'act';
const START = 'start';

/** The field with what the displayed cost depends on. */
const COUNTED = 'counted';
const countedOf = ({ type, q, records, tokenId }: DownloadOrder): string => JSON.stringify([type, q, records, tokenId]);

/** The reason why a download was not started. */
type NotStarted = ManagementFailure | 'changed';

async function orderPage(
  pageRequest: PageRequest,
  order: DownloadOrder,
  failure: NotStarted | undefined,
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
  const status = failure === 'changed' ? 409 : failure?.status;
  return page(
    'Download records',
    <>
      <PageHead title="Download records" lead={<code>{order.q}</code>} under={[search, 'Search']} />
      <PostForm class="beside" action={screenPath(pageRequest, 'downloads/new')} sends={sentBy(order, cost)}>
        <OrderFields order={order} schema={schema} payers={payers} cost={cost} />
        <Card title="This download">
          {failure && <Failure failure={failure} />}
          {!matches.ok && <Problem failure={matches.failure} />}
          {matches.ok && cost && <Cost order={order} total={total} cost={cost} />}
        </Card>
      </PostForm>
    </>,
    { status: status ?? (matches.ok ? 200 : matches.failure.status) },
  );
}

const sentBy = (order: DownloadOrder, cost: OrderCost | undefined) =>
  bodyOf({
    ...order,
    ...(cost?.ok ? { records: String(cost.credits), tokenId: cost.token.id } : { records: '', tokenId: '' }),
  });

const Failure = ({ failure }: { readonly failure: NotStarted }) =>
  failure === 'changed' ? (
    <Note tone="warn" title="The download was not started.">
      You changed the options, so the cost changed. Check it, then start.
    </Note>
  ) : (
    <Problem failure={failure} title="The download was not started." />
  );

interface OrderFieldsProps {
  readonly order: DownloadOrder;
  readonly schema: RecordSchema;
  readonly payers: readonly DataToken[];
  readonly cost: OrderCost | undefined;
}

function OrderFields({ order, schema, payers, cost }: OrderFieldsProps) {
  const wrong: Readonly<Record<string, string>> = cost && !cost.ok ? { [cost.field]: cost.reason } : {};
  return (
    <div class="form card pad">
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
        <Submit label="Calculate cost" name={ACT} value="calculate" />
      </div>
    </div>
  );
}

const tokenText = ({ id, planId, availableDownloads }: DataToken) =>
  `${shortId(id)}, plan ${planId}, ${countOf(availableDownloads, 'credit')}`;

interface CostProps {
  readonly order: DownloadOrder;
  readonly total: number;
  readonly cost: OrderCost;
}

function Cost({ order, total, cost }: CostProps) {
  if (total === 0) return <Note tone="warn">No records match.</Note>;
  if (!cost.ok) return <Note tone="warn">{cost.reason}</Note>;
  const { credits, token, remaining } = cost;
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
      <input type="hidden" name={COUNTED} value={countedOf(order)} />
      <input type="hidden" name="credits" value={credits} />
      <input type="hidden" name="payer" value={token.id} />
      <Submit kind="primary" label={`Start for ${countOf(credits, 'credit')}`} name={ACT} value={START} />
      <p class="hint">
        Credits are charged at once and refunded for records that can't be delivered. Files are kept for 7 days.
      </p>
    </>
  );
}
