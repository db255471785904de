import * as z from 'zod/mini';
import { noticeOf } from '../components/change-notice.tsx';
import { ManagementFailure, settled } from '../management/management.ts';
import { ACCEPTED, refusedForm } from '../pages/refused-form.ts';
import { type Answer, type PageRequest, type Redirect, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { Claimed, Details, SubmittedPage } from './image-answers.ts';
import { type FormState, readingOf, recordPage } from './record-page.tsx';
import { bodyOf, type ReviewFields, reviewIn } from './review-form.ts';
import { recordPath } from './review-queue.screen.tsx';
import { conflictText } from './review-refusals.ts';

const apiPathOf = (id: number | string | undefined) => `image-validations/${encodeURIComponent(id ?? '')}`;
const detailsOf = (pageRequest: PageRequest) => pageRequest.management.get(apiPathOf(pageRequest.path['id']), Details);

export const reviewedRecord: Screen = async (pageRequest) => recordPage(pageRequest, await detailsOf(pageRequest));

/** Redirects to a picture's file by a new presigned link, because the links of an open page expire. */
export const pictureFile: Screen = async (pageRequest) => {
  const { images } = await detailsOf(pageRequest);
  const url = images[Number(pageRequest.path['place'])]?.url;
  if (url === undefined) throw new ManagementFailure({ status: 404, code: 'not-found', detail: 'No such picture.' });
  return seeOther(url);
};

const claim = (pageRequest: PageRequest, id: number | string | undefined) =>
  settled(pageRequest.management.send({ method: 'POST', path: `${apiPathOf(id)}/claim` }, Claimed));

/** Claims the record for ten minutes. */
export const claimScreen: Screen = async (pageRequest) => {
  const claimed = await claim(pageRequest, pageRequest.path['id']);
  return claimed.ok
    ? seeOther(recordPath(pageRequest, pageRequest.path['id'] ?? ''))
    : inConflict(pageRequest, claimed.failure, {});
};

export const releaseScreen: Screen = async (pageRequest) => {
  await pageRequest.management.send(
    { method: 'DELETE', path: `${apiPathOf(pageRequest.path['id'])}/claim` },
    z.unknown(),
  );
  return seeOther(screenPath(pageRequest, 'images', noticeOf('released')));
};

const Started = z.object({ revision: z.number() });

/** Has the pictures read again. The page follows the record until its revision changes. */
export const examineScreen: Screen = async (pageRequest) => {
  const id = pageRequest.path['id'] ?? '';
  const started = await settled(
    pageRequest.management.send({ method: 'POST', path: `${apiPathOf(id)}/examination` }, Started),
  );
  if (!started.ok) return inConflict(pageRequest, started.failure, {});
  return seeOther(
    screenPath(pageRequest, `images/${encodeURIComponent(id)}`, readingOf(started.value.revision, pageRequest.now)),
  );
};

/** The page of the record with the reason why it could not be claimed or decided. */
async function inConflict(pageRequest: PageRequest, failure: ManagementFailure, form: FormState): Promise<Answer> {
  const conflict = conflictText(failure);
  if (conflict === undefined) throw failure;
  return recordPage(pageRequest, await detailsOf(pageRequest), { ...form, conflict });
}

/** The choice that is still to be made: the verdict or, of an invalid record, the reason. */
function missingChoice({ verdict, code }: ReviewFields): 'verdict' | 'code' | undefined {
  if (verdict === '') return 'verdict';
  return verdict === 'invalid' && code === '' ? 'code' : undefined;
}

const PLACING = { fields: { invalidCode: 'code', status: 'verdict' } };
const LINES_MORE = 5;

/** Saves a review, adds lines to the form, or extends the claim. */
export const reviewScreen: Screen = async (pageRequest) => {
  const { form, management, path } = pageRequest;
  const id = path['id'] ?? '';
  const act = form.text('act');
  const fields = reviewIn(form);
  if (act === 'lines') return recordPage(pageRequest, await detailsOf(pageRequest), { fields, emptyLines: LINES_MORE });
  if (act === 'keep') {
    const renewed = await claim(pageRequest, id);
    return renewed.ok
      ? recordPage(pageRequest, await detailsOf(pageRequest), { fields })
      : inConflict(pageRequest, renewed.failure, { fields });
  }
  const missing = missingChoice(fields);
  if (missing !== undefined) {
    const refused = { ...ACCEPTED, wrong: { [missing]: 'Choose one' }, status: 400 };
    return recordPage(pageRequest, await detailsOf(pageRequest), { fields, refused });
  }
  const body = bodyOf(fields, form.text('revision'));
  const stored = await settled(management.send({ method: 'POST', path: `${apiPathOf(id)}/review`, body }, z.unknown()));
  if (stored.ok)
    return act === 'next'
      ? claimNext(pageRequest, noticeOf('reviewed'))
      : seeOther(screenPath(pageRequest, 'images', { decided: id, ...noticeOf('reviewed') }));
  if (conflictText(stored.failure) !== undefined) return inConflict(pageRequest, stored.failure, { fields });
  return recordPage(pageRequest, await detailsOf(pageRequest), {
    fields,
    refused: refusedForm(stored.failure, PLACING),
  });
};

export const takeNext: Screen = (pageRequest) => claimNext(pageRequest);

/** The number of tries: others claim records at the same time, and a decided record stays listed for a moment. */
const TRIES = 5;

/** Claims the oldest free record and redirects to it, or to the queue if there is none. */
async function claimNext(pageRequest: PageRequest, notice: Readonly<Record<string, string>> = {}): Promise<Redirect> {
  const query = { needsReview: 'true', order: 'oldest', limit: '50' };
  const { items } = await pageRequest.management.get('image-validations', SubmittedPage, query);
  const free = items.filter((one) => one.claim === undefined || one.claim.by === pageRequest.person.subject);
  for (const { id } of free.filter((one) => String(one.id) !== pageRequest.path['id']).slice(0, TRIES)) {
    // oxlint-disable-next-line no-await-in-loop -- the next one only if this one is claimed
    const claimed = await claim(pageRequest, id);
    if (claimed.ok) return seeOther(screenPath(pageRequest, `images/${encodeURIComponent(id)}`, notice));
    if (claimed.failure.status !== 409) throw claimed.failure;
  }
  return seeOther(screenPath(pageRequest, 'images', { none: '1', decided: pageRequest.path['id'], ...notice }));
}
