import * as z from 'zod/mini';
import { Confirm } from '../components/confirm.tsx';
import { PageHead } from '../components/page-parts.tsx';
import { notErased } from '../erasures/not-erased.tsx';
import { settled } from '../management/management.ts';
import { type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { recordPath } from './review-queue.screen.tsx';

const idOf = ({ path }: PageRequest): string => path['id'] ?? '';

export const confirmRecordErasure: Screen = (pageRequest) => {
  const own = recordPath(pageRequest, idOf(pageRequest));
  return page(
    `Erase record ${idOf(pageRequest)}?`,
    <>
      <PageHead title={`Erase record ${idOf(pageRequest)}?`} under={[own, `Record ${idOf(pageRequest)}`]} />
      <Confirm action={`${own}/erase`} label="Erase the record" back={own}>
        This deletes the record with its pictures and readings. The customer keeps the points earned. Erasure can't be
        undone.
      </Confirm>
    </>,
  );
};

export const eraseRecord: Screen = async (pageRequest) => {
  const path = `image-validations/${encodeURIComponent(idOf(pageRequest))}`;
  const erased = await settled(pageRequest.management.send({ method: 'DELETE', path }, z.unknown()));
  if (erased.ok) return seeOther(screenPath(pageRequest, 'images', { erased: idOf(pageRequest) }));
  return notErased(erased.failure, [screenPath(pageRequest, 'images'), 'Review queue']);
};
