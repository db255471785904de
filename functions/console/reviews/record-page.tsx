import { PostForm } from '../components/form.tsx';
import { Facts, Note, PageHead } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { ACCEPTED, type RefusedForm } from '../pages/refused-form.ts';
import { type Page, page, screenPath, type Visit } from '../pages/screen.ts';
import { doubtText } from './doubt-words.ts';
import { ErasureLinks } from './erasure-links.tsx';
import type { Details } from './image-answers.ts';
import { codeText } from './invalid-codes.ts';
import { PictureView } from './picture.tsx';
import { ReadList } from './read-list.tsx';
import { marksOf } from './reading-marks.ts';
import { ReviewFormFields } from './review-fields.tsx';
import { proposedFields, type ReviewFields } from './review-form.ts';
import { RecordState, recordPath } from './review-queue.screen.tsx';

export interface Shown {
  /** What the person has stated so far. */
  readonly fields?: ReviewFields;
  readonly refused?: RefusedForm;
  /** Why what was asked for did not happen. */
  readonly conflict?: string | undefined;
  readonly blankLines?: number;
}

/** More pictures would make the page slow; the others are opened one by one. */
const PICTURES_SHOWN = 4;
const BLANK_LINES = 1;

/** A record with its pictures, what was read, and its review as far as this person may make it. */
export function recordPage(visit: Visit, record: Details, shown: Shown = {}): Page {
  const { refused = ACCEPTED, conflict } = shown;
  const pictures = record.images.map((picture) => ({
    picture,
    marks: picture.reading ? marksOf(picture.reading) : [],
  }));
  const others = pictures.slice(PICTURES_SHOWN);
  const fileHref = (index: number) => `${recordPath(visit, record.id)}/pictures/${index}`;
  return page(
    `Record ${record.id}`,
    <>
      <RecordHead visit={visit} record={record} />
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
          {conflict !== undefined && <Note tone="warn">{conflict}</Note>}
          <Doubts record={record} />
          <Verdict visit={visit} record={record} shown={shown} />
          {shown.fields && !canDecide(visit, record) && <NotStored fields={shown.fields} />}
          {pictures.map(
            ({ picture, marks }, index) =>
              marks.length > 0 && (
                <ReadList
                  key={picture.id}
                  title={pictures.length > 1 ? `Read in picture ${index + 1}` : 'What was read'}
                  marks={marks}
                />
              ),
          )}
          <Particulars visit={visit} record={record} />
        </div>
      </div>
    </>,
    { status: conflict === undefined ? refused.status : 409 },
  );
}

const isMine = ({ person }: Visit, { claim }: Details): boolean => claim !== undefined && claim.by === person.subject;

const canDecide = (visit: Visit, record: Details): boolean =>
  record.needsReview && !record.decision && isMine(visit, record);

function RecordHead({ visit, record }: { readonly visit: Visit; readonly record: Details }) {
  const { claim } = record;
  const act = (name: string, label: string, kind: string) => (
    <PostForm action={`${recordPath(visit, record.id)}/${name}`}>
      <button class={`button ${kind}`} type="submit">
        {label}
      </button>
    </PostForm>
  );
  const lead = (
    <>
      <RecordState record={record} />{' '}
      {claim && (
        <>
          {isMine(visit, record) && 'Yours '}until <Time at={claim.until} />
        </>
      )}
    </>
  );
  return (
    <PageHead title={`Record ${record.id}`} lead={lead} under={[screenPath(visit, 'images'), 'Review queue']}>
      {isMine(visit, record) && act('release', 'Release', '')}
      {record.needsReview && !record.decision && !claim && act('claim', 'Take it', 'primary')}
    </PageHead>
  );
}

function Doubts({ record: { review, needsReview, decision } }: { readonly record: Details }) {
  if (!review || !needsReview || decision) return null;
  const [first] = review.doubts;
  return (
    <section class="card pad stack">
      <h2>Why a person is needed</h2>
      <ul class="bullets">
        {review.doubts.map(({ reason, code }) => (
          <li key={`${code} ${reason}`}>{doubtText(reason)}</li>
        ))}
      </ul>
      {first && (
        <p class="small muted">
          If nobody decides until <Time at={review.until} />, it is invalid: {codeText(first.code).toLowerCase()}.
        </p>
      )}
    </section>
  );
}

interface VerdictProps {
  readonly visit: Visit;
  readonly record: Details;
  readonly shown: Shown;
}

function Verdict({ visit, record, shown }: VerdictProps) {
  const { fields = proposedFields(record), refused = ACCEPTED, blankLines = BLANK_LINES } = shown;
  if (record.decision) {
    const { status, invalidReason, at } = record.decision;
    return (
      <Note tone="info">
        Decided at <Time at={at} />: {status}
        {invalidReason !== undefined && `, ${invalidReason.toLowerCase()}`}.
      </Note>
    );
  }
  if (!record.needsReview) return null;
  if (!isMine(visit, record)) {
    return (
      <Note tone="info">
        {record.claim
          ? `${record.claim.byName ?? 'Another person'} is looking at this record. You can take it when that time is over.`
          : 'Take the record to decide it: for ten minutes nobody else can.'}
      </Note>
    );
  }
  return (
    <PostForm class="form wide card pad" action={`${recordPath(visit, record.id)}/review`}>
      <input type="hidden" name="revision" value={record.revision} />
      <ReviewFormFields
        fields={fields}
        refused={refused}
        validationType={record.validationType}
        blankLines={blankLines}
      />
      <div class="row">
        <button class="button primary" type="submit" name="act" value="next">
          Save and take the next
        </button>
        <button class="button" type="submit" name="act" value="save">
          Save
        </button>
        <button class="button" type="submit" name="act" value="keep" formNoValidate>
          Ten more minutes
        </button>
      </div>
    </PostForm>
  );
}

/** What somebody typed into a form that is not there any more. */
function NotStored({ fields: { verdict, code, storeName, receiptDate, lines } }: { readonly fields: ReviewFields }) {
  return (
    <section class="card pad stack">
      <h2>What you stated, and was not stored</h2>
      <Facts
        facts={{
          Verdict: verdict === 'invalid' ? `invalid: ${codeText(Number(code)).toLowerCase()}` : verdict || undefined,
          Store: storeName || undefined,
          Date: receiptDate || undefined,
          Lines: lines.map(({ name, price, quantity }) => `${quantity} × ${name} ${price}`).join(', ') || undefined,
        }}
      />
    </section>
  );
}

function Particulars({ visit, record }: { readonly visit: Visit; readonly record: Details }) {
  const { results = [] } = record;
  return (
    <section class="card pad stack">
      <h2>Details</h2>
      <Facts
        facts={{
          Campaign: record.campaignPermalink,
          Customer: (
            <a href={screenPath(visit, 'images', { customer: record.customer })}>
              {record.customerExternalId ?? (record.anonymous ? 'Anonymous' : record.customer)}
            </a>
          ),
          Submitted: <Time at={record.createdAt} />,
          'Invalid because': record.invalidReason,
          Store: record.storeName,
          Date: record.receiptDate,
          Lines:
            results.length > 0
              ? results.map(({ name, price, quantity }) => `${quantity} × ${name} ${price}`).join(', ')
              : undefined,
        }}
      />
      <ErasureLinks visit={visit} record={record} />
    </section>
  );
}
