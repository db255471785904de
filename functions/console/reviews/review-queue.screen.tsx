import { Badge } from '../components/badge.tsx';
import { LinkButton, Submit } from '../components/button.tsx';
import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { durationText } from '../components/durations.ts';
import { Field, PostForm } from '../components/form.tsx';
import { Empty, Note, PageHead, Tabs } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { type PageRequest, page, type Screen, screenPath } from '../pages/screen.ts';
import { doubtText } from './doubt-words.ts';
import { type Submitted, SubmittedPage } from './image-answers.ts';
import { codeText } from './invalid-codes.ts';
import { countedText, type QueueFilter, queueFilterIn, queueQueryOf, VIEWS } from './queue-filter.ts';

export const recordPath = (pageRequest: PageRequest, id: number | string): string =>
  screenPath(pageRequest, `images/${encodeURIComponent(id)}`);

/** The form that submits a picture, filled with what is given. */
export const newRecordPath = (
  pageRequest: PageRequest,
  filled: { readonly campaign?: string; readonly customer?: string } = {},
): string => screenPath(pageRequest, 'images/-/new', filled);

function queuePath(pageRequest: PageRequest, { view, cursor, ...of }: QueueFilter): string {
  const isWhole = of.customer !== '' || of.campaign !== '';
  return screenPath(pageRequest, 'images', { view: isWhole ? undefined : view, ...of, cursor });
}

/** The records that wait for a review, oldest first, and in other views all submissions. */
export const reviewQueue: Screen = async (pageRequest) => {
  const filter = queueFilterIn(pageRequest.query);
  const submissions = await pageRequest.management.get('image-validations', SubmittedPage, queueQueryOf(filter));
  const path = (changes: Partial<QueueFilter>) => queuePath(pageRequest, { ...filter, cursor: '', ...changes });
  const isQueue = filter.view === '';
  return page(
    'Review queue',
    <>
      <QueueHead pageRequest={pageRequest} isQueue={isQueue} isEmpty={submissions.items.length === 0} />
      <Tabs
        label="Records"
        current={path({ customer: '', campaign: '' })}
        tabs={VIEWS.map(([view, label]) => {
          const counted = view === '' && submissions.count ? ` ${countedText(submissions.count)}` : '';
          return [path({ view, customer: '', campaign: '' }), `${label}${counted}`] as const;
        })}
      />
      {pageRequest.query.has('erased') && (
        <div class="spaced">
          <Note tone="ok">Record {pageRequest.query.get('erased')} was erased.</Note>
        </div>
      )}
      {pageRequest.query.has('none') && (
        <div class="spaced">
          <Note tone="info">There is no other record to review at the moment.</Note>
        </div>
      )}
      {!isQueue && <RecordFilters pageRequest={pageRequest} filter={filter} />}
      <div class="card">
        {submissions.items.length > 0 ? (
          <DataTable
            caption="Image validations"
            columns={isQueue ? queueColumns(pageRequest) : listColumns(pageRequest)}
            rows={submissions.items}
            keyOf={({ id }) => String(id)}
          />
        ) : (
          <NoRecords filter={filter} isLast={submissions.nextCursor === undefined} />
        )}
        <Pager
          newest={filter.cursor === '' ? undefined : path({})}
          firstLabel={isQueue ? 'Oldest' : 'Newest'}
          older={submissions.nextCursor && path({ cursor: submissions.nextCursor })}
          label={submissions.items.length === 0 ? 'Keep searching' : isQueue ? 'Newer' : 'Older'}
        />
      </div>
    </>,
  );
};

interface QueueHeadProps {
  readonly pageRequest: PageRequest;
  /** False on the lists of all records. */
  readonly isQueue: boolean;
  readonly isEmpty: boolean;
}

const QueueHead = ({ pageRequest, isQueue, isEmpty }: QueueHeadProps) => (
  <PageHead
    title="Review queue"
    lead={
      isQueue
        ? "Receipts and photos that need a person's decision, oldest first."
        : 'Receipts and photos, newest first.'
    }
  >
    <LinkButton label="Submit a receipt" href={newRecordPath(pageRequest)} />
    {isQueue && !isEmpty && (
      <PostForm action={screenPath(pageRequest, 'images/next')}>
        <Submit kind="primary" label="Review next" />
      </PostForm>
    )}
  </PageHead>
);

/** The API filters by one of the two; a customer comes first. */
const RecordFilters = ({
  pageRequest,
  filter: { customer, campaign },
}: {
  readonly pageRequest: PageRequest;
  readonly filter: QueueFilter;
}) => (
  <details class="filters" open={customer !== '' || campaign !== ''}>
    <summary>Filters</summary>
    <form method="get" action={screenPath(pageRequest, 'images')}>
      <input type="hidden" name="view" value="all" />
      <div class="grow">
        <Field name="customer" label="Customer" value={customer} type="search" placeholder="Id" />
      </div>
      <div class="grow">
        <Field name="campaign" label="Or campaign" value={campaign} type="search" placeholder="Permalink" />
      </div>
      <Submit label="Apply" />
    </form>
  </details>
);

function NoRecords({ filter, isLast }: { readonly filter: QueueFilter; readonly isLast: boolean }) {
  if (!isLast) return <Empty title="No match so far">Keep searching to see more.</Empty>;
  if (filter.campaign !== '') {
    return <Empty title="No records">Nothing was submitted for the campaign {filter.campaign}.</Empty>;
  }
  if (filter.customer !== '') {
    return <Empty title="No records">The customer {filter.customer} has no submissions.</Empty>;
  }
  if (filter.view === '') {
    return (
      <Empty title="No records to review">
        Records that can't be decided automatically appear here with the reason.
      </Empty>
    );
  }
  return <Empty title="No records">Customers submit pictures for a campaign in an app.</Empty>;
}

const recordOf = (pageRequest: PageRequest): Column<Submitted> => ({
  title: 'Record',
  onPhone: 'first',
  cell: ({ id }) => (
    <a class="strong" href={recordPath(pageRequest, id)}>
      {id}
    </a>
  ),
});

const customerOf = (pageRequest: PageRequest): Column<Submitted> => ({
  title: 'Customer',
  class: 'clip',
  onPhone: 'gone',
  cell: ({ customer: id, customerExternalId, anonymous }) => (
    <a href={screenPath(pageRequest, 'images', { customer: id })} title={id}>
      {customerExternalId ?? (anonymous ? 'Anonymous' : id)}
    </a>
  ),
});

const campaign: Column<Submitted> = {
  title: 'Campaign',
  class: 'clip',
  onPhone: 'first',
  cell: ({ campaignPermalink }) => campaignPermalink,
};

const queueColumns = (pageRequest: PageRequest): readonly Column<Submitted>[] => [
  recordOf(pageRequest),
  {
    title: 'State',
    onPhone: 'second',
    // A decided record stays in the index for a moment.
    cell: (one) =>
      pageRequest.query.get('decided') === String(one.id) ? (
        <Badge tone="ok" icon="check" label="Decided" />
      ) : (
        <RecordState record={one} />
      ),
  },
  campaign,
  {
    title: 'Why it needs review',
    cell: ({ review }) => {
      const [first, ...more] = review?.doubts ?? [];
      const [reason, others] = [first && doubtText(first.reason).replace(/\.$/, ''), more.length];
      return reason && `${reason}${others > 0 ? `, and ${others} more` : ''}`;
    },
  },
  customerOf(pageRequest),
  {
    title: 'Waiting',
    cell: ({ review, createdAt }) => (
      <span class="nowrap">{durationText(pageRequest.now - Date.parse(review?.requestedAt ?? createdAt))}</span>
    ),
    isRight: true,
    onPhone: 'second',
  },
];

/** The columns of records of one customer. */
export const recordColumns = (pageRequest: PageRequest): readonly Column<Submitted>[] => [
  recordOf(pageRequest),
  { title: 'State', cell: (one) => <RecordState record={one} />, onPhone: 'second' },
  campaign,
  {
    title: 'Result',
    cell: ({ invalidCode, invalidReason, storeName, receiptDate }) =>
      invalidCode === undefined
        ? [storeName, receiptDate].filter(Boolean).join(', ')
        : (invalidReason ?? codeText(invalidCode)),
  },
  { title: 'Submitted', cell: ({ createdAt }) => <Time at={createdAt} />, isRight: true, onPhone: 'second' },
];

const listColumns = (pageRequest: PageRequest): readonly Column<Submitted>[] =>
  recordColumns(pageRequest).toSpliced(-1, 0, customerOf(pageRequest));

export function RecordState({ record: { status, needsReview, claim } }: { readonly record: Submitted }) {
  if (needsReview && claim)
    return <Badge tone="info" icon="clock" label={`Reserved for ${claim.byName ?? 'a reviewer'}`} />;
  if (needsReview) return <Badge tone="warn" icon="pause" label="To review" />;
  switch (status) {
    case 'valid':
      return <Badge tone="ok" icon="check" label="Valid" />;
    case 'invalid':
      return <Badge tone="bad" icon="cross" label="Invalid" />;
    case 'incomplete':
      return <Badge tone="plain" icon="dot" label="Incomplete" />;
    default:
      return <Badge tone="info" icon="clock" label="Examined" />;
  }
}
