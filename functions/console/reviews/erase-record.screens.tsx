import * as z from 'zod/mini';
import { settled } from '../management/management.ts';
import { confirmPage } from '../pages/confirm-page.tsx';
import { refusedPage } from '../pages/refused-page.tsx';
import { type PageRequest, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { recordPath } from './review-queue.screen.tsx';

const idOf = ({ path }: PageRequest): string => path['id'] ?? '';

export const confirmRecordErasure: Screen = (pageRequest) => {
  const own = recordPath(pageRequest, idOf(pageRequest));
  return confirmPage({
    title: `Erase record ${idOf(pageRequest)}?`,
    under: [own, `Record ${idOf(pageRequest)}`],
    text: "This deletes the record with its pictures and readings. The customer keeps the points earned. Erasure can't be undone.",
    action: `${own}/erase`,
    label: 'Erase the record',
  });
};

export const eraseRecord: Screen = async (pageRequest) => {
  const path = `image-validations/${encodeURIComponent(idOf(pageRequest))}`;
  const erased = await settled(pageRequest.management.send({ method: 'DELETE', path }, z.unknown()));
  if (erased.ok) return seeOther(screenPath(pageRequest, 'images', { erased: idOf(pageRequest) }));
  return refusedPage('Not erased', [screenPath(pageRequest, 'images'), 'Review queue'], erased.failure);
};
