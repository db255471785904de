import * as z from 'zod/mini';
import { noticeOf } from '../components/change-notice.tsx';
import { Confirm } from '../components/confirm.tsx';
import { PageHead } from '../components/page-parts.tsx';
import { settled } from '../management/management.ts';
import { type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { customerErasurePath, erasuresPath } from './erasure-paths.ts';
import { notErased } from './not-erased.tsx';

const idOf = ({ path }: PageRequest): string => path['id'] ?? '';

export const confirmCustomerErasure: Screen = (pageRequest) => {
  const back = erasuresPath(pageRequest);
  return page(
    'Erase this customer?',
    <>
      <PageHead
        title="Erase this customer?"
        lead={<span class="mono">{idOf(pageRequest)}</span>}
        under={[back, 'Erasures']}
      />
      <Confirm action={customerErasurePath(pageRequest, idOf(pageRequest))} label="Erase the customer" back={back}>
        The profile is erased at once, receipts, pictures and check-ins within a day. The amounts in the points ledger
        stay, but no longer identify the person. Erasure can't be undone.
      </Confirm>
    </>,
  );
};

export const eraseCustomer: Screen = async (pageRequest) => {
  const path = `loyalty/customers/${encodeURIComponent(idOf(pageRequest))}`;
  const erased = await settled(pageRequest.management.send({ method: 'DELETE', path }, z.unknown()));
  if (erased.ok) return seeOther(screenPath(pageRequest, 'erasures', noticeOf('erasing')));
  return notErased(erased.failure, [erasuresPath(pageRequest), 'Erasures']);
};
