import * as z from 'zod/mini';
import { ManagementFailure, settled } from '../management/management.ts';
import { ACCEPTED, refusedForm } from '../pages/refused-form.ts';
import { type Answer, type Redirect, type Screen, screenPath, seeOther, type Visit } from '../pages/screen.ts';
import { Claimed, Details, SubmittedPage } from './image-answers.ts';
import { type FormState, recordPage } from './record-page.tsx';
import { bodyOf, reviewIn } from './review-form.ts';
import { recordPath } from './review-queue.screen.tsx';
import { conflictText } from './review-refusals.ts';

const apiPathOf = (id: number | string | undefined) => `image-validations/${encodeURIComponent(id ?? '')}`;
const detailsOf = (visit: Visit) => visit.management.get(apiPathOf(visit.path['id']), Details);

export const reviewedRecord: Screen = async (visit) => recordPage(visit, await detailsOf(visit));

/** Redirects to a picture's file by a new presigned link, because the links of an open page expire. */
export const pictureFile: Screen = async (visit) => {
  const { images } = await detailsOf(visit);
  const url = images[Number(visit.path['place'])]?.url;
  if (url === undefined) throw new ManagementFailure({ status: 404, code: 'not-found', detail: 'No such picture.' });
  return seeOther(url);
};

const claim = (visit: Visit, id: number | string | undefined) =>
  settled(visit.management.send({ method: 'POST', path: `${apiPathOf(id)}/claim` }, Claimed));

/** Claims the record for ten minutes. */
export const claimScreen: Screen = async (visit) => {
  const claimed = await claim(visit, visit.path['id']);
  return claimed.ok ? seeOther(recordPath(visit, visit.path['id'] ?? '')) : inConflict(visit, claimed.failure, {});
};

export const releaseScreen: Screen = async (visit) => {
  await visit.management.send({ method: 'DELETE', path: `${apiPathOf(visit.path['id'])}/claim` }, z.unknown());
  return seeOther(screenPath(visit, 'images'));
};

/** The page of the record with the reason why it could not be claimed or decided. */
async function inConflict(visit: Visit, failure: ManagementFailure, form: FormState): Promise<Answer> {
  const conflict = conflictText(failure);
  if (conflict === undefined) throw failure;
  return recordPage(visit, await detailsOf(visit), { ...form, conflict });
}

const PLACING = { fields: { invalidCode: 'code', status: 'verdict' } };
const LINES_MORE = 5;

/** Saves a review, adds lines to the form, or extends the claim. */
export const reviewScreen: Screen = async (visit) => {
  const { form, management, path } = visit;
  const id = path['id'] ?? '';
  const act = form.text('act');
  const fields = reviewIn(form);
  if (act === 'lines') return recordPage(visit, await detailsOf(visit), { fields, emptyLines: LINES_MORE });
  if (act === 'keep') {
    const renewed = await claim(visit, id);
    return renewed.ok
      ? recordPage(visit, await detailsOf(visit), { fields })
      : inConflict(visit, renewed.failure, { fields });
  }
  if (fields.verdict === '') {
    const refused = { ...ACCEPTED, wrong: { verdict: 'Choose one' }, status: 400 };
    return recordPage(visit, await detailsOf(visit), { fields, refused });
  }
  const body = bodyOf(fields, form.text('revision'));
  const stored = await settled(management.send({ method: 'POST', path: `${apiPathOf(id)}/review`, body }, z.unknown()));
  if (stored.ok) return act === 'next' ? claimNext(visit) : seeOther(screenPath(visit, 'images', { decided: id }));
  if (conflictText(stored.failure) !== undefined) return inConflict(visit, stored.failure, { fields });
  return recordPage(visit, await detailsOf(visit), { fields, refused: refusedForm(stored.failure, PLACING) });
};

export const takeNext: Screen = (visit) => claimNext(visit);

/** The number of tries: others claim records at the same time, and a decided record stays listed for a moment. */
const TRIES = 5;

/** Claims the oldest free record and redirects to it, or to the queue if there is none. */
async function claimNext(visit: Visit): Promise<Redirect> {
  const query = { needsReview: 'true', order: 'oldest', limit: '50' };
  const { items } = await visit.management.get('image-validations', SubmittedPage, query);
  const free = items.filter((one) => one.claim === undefined || one.claim.by === visit.person.subject);
  for (const { id } of free.filter((one) => String(one.id) !== visit.path['id']).slice(0, TRIES)) {
    // oxlint-disable-next-line no-await-in-loop -- the next one only if this one is claimed
    const claimed = await claim(visit, id);
    if (claimed.ok) return seeOther(recordPath(visit, id));
    if (claimed.failure.status !== 409) throw claimed.failure;
  }
  return seeOther(screenPath(visit, 'images', { none: '1', decided: visit.path['id'] }));
}
