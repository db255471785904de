import * as z from 'zod/mini';
import { noticeOf } from '../components/change-notice.tsx';
import { settled } from '../management/management.ts';
import { confirmPage } from '../pages/confirm-page.tsx';
import { refusedPage } from '../pages/refused-page.tsx';
import { type PageRequest, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { customerErasurePath, erasuresPath } from './erasure-paths.ts';

const idOf = ({ path }: PageRequest): string => path['id'] ?? '';

export const confirmCustomerErasure: Screen = (pageRequest) =>
  confirmPage({
    title: 'Erase this customer?',
    lead: <span class="mono">{idOf(pageRequest)}</span>,
    under: [erasuresPath(pageRequest), 'Erasures'],
    text: "The profile is erased at once, receipts, pictures and check-ins within a day. The amounts in the points ledger stay, but no longer identify the person. Erasure can't be undone.",
    action: customerErasurePath(pageRequest, idOf(pageRequest)),
    label: 'Erase the customer',
  });

export const eraseCustomer: Screen = async (pageRequest) => {
  const path = `loyalty/customers/${encodeURIComponent(idOf(pageRequest))}`;
  const erased = await settled(pageRequest.management.send({ method: 'DELETE', path }, z.unknown()));
  if (erased.ok) return seeOther(screenPath(pageRequest, 'erasures', noticeOf('erasing')));
  return refusedPage('Not erased', [erasuresPath(pageRequest), 'Erasures'], erased.failure);
};
