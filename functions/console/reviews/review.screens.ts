import * as z from 'zod/mini';
import { aside, ManagementFailure } from '../management/management.ts';
import { ACCEPTED, refusedForm } from '../pages/refused-form.ts';
import { type Answer, type Redirect, type Screen, screenPath, seeOther, type Visit } from '../pages/screen.ts';
import { Claimed, Details, SubmittedPage } from './image-answers.ts';
import { recordPage, type Shown } from './record-page.tsx';
import { bodyOf, statedReview } from './review-form.ts';
import { recordPath } from './review-queue.screen.tsx';
import { conflictText } from './review-refusals.ts';

const apiPathOf = (id: number | string | undefined) => `image-validations/${encodeURIComponent(id ?? '')}`;
const detailsOf = (visit: Visit) => visit.management.get(apiPathOf(visit.path['id']), Details);

export const reviewedRecord: Screen = async (visit) => recordPage(visit, await detailsOf(visit));

/** A picture's file, by a link that is made when somebody asks for it: those of a page that is open grow stale. */
export const pictureFile: Screen = async (visit) => {
  const { images } = await detailsOf(visit);
  const url = images[Number(visit.path['place'])]?.url;
  if (url === undefined) throw new ManagementFailure({ status: 404, code: 'not-found', detail: 'No such picture.' });
  return seeOther(url);
};

const claim = (visit: Visit, id: number | string | undefined) =>
  aside(visit.management.send({ method: 'POST', path: `${apiPathOf(id)}/claim` }, Claimed));

/** Keeps others from the record for ten minutes. */
export const claimScreen: Screen = async (visit) => {
  const taken = await claim(visit, visit.path['id']);
  return taken.ok ? seeOther(recordPath(visit, visit.path['id'] ?? '')) : inConflict(visit, taken.failure, {});
};

export const releaseScreen: Screen = async (visit) => {
  await visit.management.send({ method: 'DELETE', path: `${apiPathOf(visit.path['id'])}/claim` }, z.unknown());
  return seeOther(screenPath(visit, 'images'));
};

/** The record as it is now, with why it could not be taken or decided. */
async function inConflict(visit: Visit, failure: ManagementFailure, shown: Shown): Promise<Answer> {
  const conflict = conflictText(failure);
  if (conflict === undefined) throw failure;
  return recordPage(visit, await detailsOf(visit), { ...shown, conflict });
}

const PLACING = { fields: { invalidCode: 'code', status: 'verdict' } };
const LINES_MORE = 5;

/** Stores a verdict, or gives the form room or time. */
export const reviewScreen: Screen = async (visit) => {
  const { form, management, path } = visit;
  const id = path['id'] ?? '';
  const act = form.text('act');
  const fields = statedReview(form);
  if (act === 'lines') return recordPage(visit, await detailsOf(visit), { fields, blankLines: LINES_MORE });
  if (act === 'keep') {
    const kept = await claim(visit, id);
    return kept.ok
      ? recordPage(visit, await detailsOf(visit), { fields })
      : inConflict(visit, kept.failure, { fields });
  }
  if (fields.verdict === '') {
    const refused = { ...ACCEPTED, wrong: { verdict: 'Choose one' }, status: 400 };
    return recordPage(visit, await detailsOf(visit), { fields, refused });
  }
  const body = bodyOf(fields, form.text('revision'));
  const stored = await aside(management.send({ method: 'POST', path: `${apiPathOf(id)}/review`, body }, z.unknown()));
  if (stored.ok) return act === 'next' ? takenNext(visit) : seeOther(screenPath(visit, 'images', { decided: id }));
  if (conflictText(stored.failure) !== undefined) return inConflict(visit, stored.failure, { fields });
  return recordPage(visit, await detailsOf(visit), { fields, refused: refusedForm(stored.failure, PLACING) });
};

export const takeNext: Screen = (visit) => takenNext(visit);

/** Others take records at the same time; a record that was just decided is listed for a moment more. */
const TRIES = 5;

/** Takes the oldest record that nobody has, and leads there; to the queue if there is none. */
async function takenNext(visit: Visit): Promise<Redirect> {
  const query = { needsReview: 'true', order: 'oldest', limit: '50' };
  const { items } = await visit.management.get('image-validations', SubmittedPage, query);
  const free = items.filter((one) => one.claim === undefined || one.claim.by === visit.person.subject);
  for (const { id } of free.filter((one) => String(one.id) !== visit.path['id']).slice(0, TRIES)) {
    // oxlint-disable-next-line no-await-in-loop -- the next one only where this one is taken
    const taken = await claim(visit, id);
    if (taken.ok) return seeOther(recordPath(visit, id));
    if (taken.failure.status !== 409) throw taken.failure;
  }
  return seeOther(screenPath(visit, 'images', { none: '1', decided: visit.path['id'] }));
}
