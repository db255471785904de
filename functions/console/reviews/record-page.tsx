import { includesRole } from '#shared/auth/role';
import { Submit } from '../components/button.tsx';
import { PostForm } from '../components/form.tsx';
import { FollowLink, Live } from '../components/live.tsx';
import { Card, Facts, Note, PageHead } from '../components/page-parts.tsx';
import { countText } from '../components/quantities.ts';
import { Time } from '../components/time.tsx';
import { useTenantPath } from '../components/view.ts';
import { settled } from '../management/management.ts';
import { ACCEPTED, type RefusedForm } from '../pages/refused-form.ts';
import { type Page, type PageRequest, page, screenPath } from '../pages/screen.ts';
import { roleOf } from '../sessions/session.ts';
import { doubtText } from './doubt-words.ts';
import { ErasureLinks } from './erasure-links.tsx';
import { CampaignPoints, type Details } from './image-answers.ts';
import { codeText } from './invalid-codes.ts';
import { PictureView } from './picture.tsx';
import { ReadList } from './read-list.tsx';
import { marksOf } from './reading-marks.ts';
import { ReviewFormFields } from './review-fields.tsx';
import { proposedFields, type ReviewFields } from './review-form.ts';
import { RecordState, recordPath } from './review-queue.screen.tsx';

export interface FormState {
  /** The values that the person has entered. */
  readonly fields?: ReviewFields;
  readonly refused?: RefusedForm;
  /** Why the requested action was not performed. */
  readonly conflict?: string | undefined;
  readonly emptyLines?: number;
}

/** The most pictures on the page, since more would make it slow; the others have links. */
const PICTURES_SHOWN = 4;
const EMPTY_LINES = 1;

/** The page of a record with its pictures, its reading and, for the person who has claimed it, the review form. */
export async function recordPage(pageRequest: PageRequest, record: Details, form: FormState = {}): Promise<Page> {
  const { refused = ACCEPTED, conflict } = form;
  const pictures = record.images.map((picture) => ({
    picture,
    marks: picture.reading ? marksOf(picture.reading) : [],
  }));
  const others = pictures.slice(PICTURES_SHOWN);
  const progress = progressOf(pageRequest, record);
  const points = canReview(pageRequest, record) ? await pointsOfRecord(pageRequest, record) : undefined;
  const fileHref = (index: number) => `${recordPath(pageRequest, record.id)}/pictures/${index}`;
  return page(
    `Record ${record.id}`,
    <>
      <RecordHead pageRequest={pageRequest} record={record} />
      <div class="halves">
        <div class="stack">
          {pictures.slice(0, PICTURES_SHOWN).map(({ picture, marks }, index) => (
            <PictureView key={picture.id} picture={picture} index={index} marks={marks} fileHref={fileHref(index)} />
          ))}
          {others.length > 0 && (
            <ul class="row">
              {others.map(({ picture }, at) => (
                <li key={picture.id}>
                  <a href={fileHref(PICTURES_SHOWN + at)}>Open picture {PICTURES_SHOWN + at + 1}</a>
                </li>
              ))}
            </ul>
          )}
        </div>
        <div class="stack">
          {progress.content && <Live name="progress" part={progress} reloadsAtEnd saysState />}
          <FollowLink isOver={progress.isOver} />
          {conflict !== undefined && <Note tone="warn">{conflict}</Note>}
          <Doubts record={record} />
          <Verdict pageRequest={pageRequest} record={record} form={form} points={points} />
          {form.fields && !canReview(pageRequest, record) && <NotStored fields={form.fields} />}
          {pictures.map(
            ({ picture, marks }, index) =>
              marks.length > 0 && (
                <ReadList
                  key={picture.id}
                  title={pictures.length > 1 ? `Reading of picture ${index + 1}` : 'Reading'}
                  marks={marks}
                  index={index}
                />
              ),
          )}
          <RecordDetails pageRequest={pageRequest} record={record} />
        </div>
      </div>
    </>,
    { status: conflict === undefined ? refused.status : 409, live: { progress } },
  );
}

/** The points that a valid record earns besides those of its lines; undefined if the campaign is gone. */
async function pointsOfRecord(
  { management }: PageRequest,
  { campaignPermalink }: Details,
): Promise<number | undefined> {
  const path = `loyalty/campaigns/${encodeURIComponent(campaignPermalink)}`;
  const campaign = await settled(management.get(path, CampaignPoints));
  return campaign.ok ? campaign.value.pointsPerValidation : undefined;
}

/** An examination that takes longer has failed. */
const READING_MILLIS = 10 * 60_000;

/** The query of a page that follows another reading of the record, until its revision changes. */
export const readingOf = (revision: number, now: number): Record<string, string> => ({
  reading: String(revision),
  since: String(now),
});

/** The part that follows a record until it has a verdict, needs a person or lacks a picture. */
function progressOf({ query, now }: PageRequest, record: Details) {
  const { status, needsReview, decision, revision, images } = record;
  const reading = query.get('reading');
  const isUnchanged = reading === String(revision);
  const isReadAgain = isUnchanged && now - Number(query.get('since')) < READING_MILLIS;
  const awaitsPerson = needsReview && !decision;
  if (status === 'valid' || status === 'invalid') return { isOver: true, content: null };
  if (awaitsPerson && !isReadAgain) {
    if (isUnchanged) return { isOver: true, content: <ReadingFailed /> };
    return { isOver: true, content: query.has('fragment') ? <ReadAgain record={record} /> : null };
  }
  const isOver = images.some(({ uploadRefusal }) => uploadRefusal !== undefined);
  return {
    isOver,
    content: (
      <section class="card pad stack">
        <h2>
          <RecordState record={record} />
        </h2>
        <p class="muted">{progressText(record)}</p>
      </section>
    ),
  };
}

const ReadingFailed = () => (
  <Note tone="warn">The pictures could not be read again. Review the record by its pictures.</Note>
);

/** The end of another reading, on a page that is not loaded again because a form of it is being filled in. */
function ReadAgain({ record }: { readonly record: Details }) {
  const path = useTenantPath();
  return (
    <Note tone="info">
      The pictures were read again. <a href={path(`images/${encodeURIComponent(record.id)}`)}>Show the result</a>
    </Note>
  );
}

function progressText({ status, needsReview, decision, images }: Details): string {
  if (decision) return 'The decision is being applied.';
  if (needsReview) return 'The pictures are being read again. You can still review the record meanwhile.';
  if (status === 'pending') return 'The pictures are being read. The verdict appears here, mostly within a minute.';
  const refusal = images.find(({ uploadRefusal }) => uploadRefusal !== undefined)?.uploadRefusal;
  if (refusal === 'too-large') return 'The picture is larger than 10 MB. Submit a smaller one.';
  if (refusal === 'no-image') return "The file isn't a JPEG, PNG, GIF, TIFF or PDF. Submit a picture.";
  return 'Receiving the pictures. It takes a few seconds after the last upload.';
}

const isMine = ({ person }: PageRequest, { claim }: Details): boolean =>
  claim !== undefined && claim.by === person.subject;

const canReview = (pageRequest: PageRequest, record: Details): boolean =>
  record.needsReview && !record.decision && isMine(pageRequest, record);

function RecordHead({ pageRequest, record }: { readonly pageRequest: PageRequest; readonly record: Details }) {
  const { claim } = record;
  const act = (name: string, label: string, kind?: 'primary') => (
    <PostForm action={`${recordPath(pageRequest, record.id)}/${name}`}>
      <Submit kind={kind} label={label} />
    </PostForm>
  );
  const lead = (
    <>
      {progressOf(pageRequest, record).isOver && <RecordState record={record} />}{' '}
      {claim && (
        <>
          until <Time at={claim.until} />
        </>
      )}
    </>
  );
  return (
    <PageHead title={`Record ${record.id}`} lead={lead} under={[screenPath(pageRequest, 'images'), 'Review queue']}>
      {isMine(pageRequest, record) && act('release', 'Release')}
      {record.canExamineAgain && (!claim || isMine(pageRequest, record)) && act('examine', 'Read again')}
      {record.needsReview && !record.decision && !claim && act('claim', 'Start review', 'primary')}
    </PageHead>
  );
}

function Doubts({ record: { review, needsReview, decision } }: { readonly record: Details }) {
  if (!review || !needsReview || decision) return null;
  const [first] = review.doubts;
  return (
    <Card title="Why it needs review">
      <ul class="bullets">
        {review.doubts.map(({ reason, code }) => (
          <li key={`${code} ${reason}`}>{doubtText(reason)}</li>
        ))}
      </ul>
      {first && (
        <p class="small muted">
          Without a review by <Time at={review.until} /> it is rejected automatically, with the reason
          {` ${codeText(first.code)}`}.
        </p>
      )}
    </Card>
  );
}

interface VerdictProps {
  readonly pageRequest: PageRequest;
  readonly record: Details;
  readonly form: FormState;
  readonly points: number | undefined;
}

function Verdict({ pageRequest, record, form, points }: VerdictProps) {
  const { fields = proposedFields(record), refused = ACCEPTED, emptyLines = EMPTY_LINES } = form;
  if (record.decision) {
    const { status, invalidReason, by, at } = record.decision;
    const reviewer = by === pageRequest.person.subject ? 'you' : 'another person';
    return (
      <Note tone="info">
        Decided by {reviewer} on <Time at={at} />: {status}
        {invalidReason !== undefined && `, ${invalidReason.toLowerCase()}`}.
      </Note>
    );
  }
  if (!record.needsReview) return null;
  if (!includesRole(roleOf(pageRequest.person), 'reviewer')) {
    return <Note tone="info">A reviewer or an admin decides this record.</Note>;
  }
  if (!isMine(pageRequest, record)) {
    return (
      <Note tone="info">
        {record.claim
          ? `${record.claim.byName ?? 'Another person'} is reviewing this record. You can start a review when their claim expires.`
          : 'Start the review to decide this record. It is reserved for you for ten minutes.'}
      </Note>
    );
  }
  return (
    <PostForm class="form wide card pad" action={`${recordPath(pageRequest, record.id)}/review`}>
      <input type="hidden" name="revision" value={record.revision} />
      <ReviewFormFields
        fields={fields}
        refused={refused}
        validationType={record.validationType}
        points={points}
        emptyLines={emptyLines}
      />
      <div class="row">
        <Submit kind="primary" label="Save and review next" name="act" value="next" />
        <Submit label="Save" name="act" value="save" />
        <Submit label="Extend by ten minutes" name="act" value="keep" formNoValidate />
      </div>
    </PostForm>
  );
}

/** The entered values of a form that is no longer displayed. */
function NotStored({ fields: { verdict, code, storeName, receiptDate, lines } }: { readonly fields: ReviewFields }) {
  return (
    <Card title="Your unsaved input">
      <Facts
        facts={{
          Verdict: verdict === 'invalid' ? `invalid: ${codeText(Number(code)).toLowerCase()}` : verdict || undefined,
          Store: storeName || undefined,
          Date: receiptDate || undefined,
          Lines: lines.map(({ name, price, quantity }) => `${quantity} × ${name} ${price}`).join(', ') || undefined,
        }}
      />
    </Card>
  );
}

function RecordDetails({ pageRequest, record }: { readonly pageRequest: PageRequest; readonly record: Details }) {
  const { results = [] } = record;
  return (
    <Card title="Details">
      <Facts
        facts={{
          Campaign: (
            <a href={screenPath(pageRequest, `campaigns/${encodeURIComponent(record.campaignPermalink)}`)}>
              {record.campaignPermalink}
            </a>
          ),
          Customer: (
            <a href={screenPath(pageRequest, 'images', { customer: record.customer })}>
              {record.customerExternalId ?? (record.anonymous ? 'Anonymous' : record.customer)}
            </a>
          ),
          Submitted: <Time at={record.createdAt} />,
          'Invalid reason': record.invalidReason,
          'Points awarded': record.points === undefined ? undefined : countText(record.points),
          Store: record.storeName,
          Date: record.receiptDate,
          Lines:
            results.length > 0
              ? results.map(({ name, price, quantity }) => `${quantity} × ${name} ${price}`).join(', ')
              : undefined,
        }}
      />
      <ErasureLinks pageRequest={pageRequest} record={record} />
    </Card>
  );
}
