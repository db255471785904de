import * as z from 'zod/mini';
import { Confirm } from '../components/confirm.tsx';
import { PageHead } from '../components/page-parts.tsx';
import { notErased } from '../erasures/not-erased.tsx';
import { settled } from '../management/management.ts';
import { page, type Screen, screenPath, seeOther, type Visit } from '../pages/screen.ts';
import { recordPath } from './review-queue.screen.tsx';

const idOf = ({ path }: Visit): string => path['id'] ?? '';

export const confirmRecordErasure: Screen = (visit) => {
  const own = recordPath(visit, idOf(visit));
  return page(
    `Erase record ${idOf(visit)}?`,
    <>
      <PageHead title={`Erase record ${idOf(visit)}?`} under={[own, `Record ${idOf(visit)}`]} />
      <Confirm action={`${own}/erase`} label="Erase the record" back={own}>
        This deletes the record with its pictures and readings. The customer keeps the points earned. Erasure can't be
        undone.
      </Confirm>
    </>,
  );
};

export const eraseRecord: Screen = async (visit) => {
  const path = `image-validations/${encodeURIComponent(idOf(visit))}`;
  const erased = await settled(visit.management.send({ method: 'DELETE', path }, z.unknown()));
  if (erased.ok) return seeOther(screenPath(visit, 'images', { erased: idOf(visit) }));
  return notErased(erased.failure, [screenPath(visit, 'images'), 'Review queue']);
};
