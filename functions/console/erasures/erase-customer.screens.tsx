import * as z from 'zod/mini';
import { Confirm } from '../components/confirm.tsx';
import { PageHead } from '../components/page-parts.tsx';
import { settled } from '../management/management.ts';
import { page, type Screen, seeOther, type Visit } from '../pages/screen.ts';
import { customerErasurePath, erasuresPath } from './erasure-paths.ts';
import { notErased } from './not-erased.tsx';

const idOf = ({ path }: Visit): string => path['id'] ?? '';

export const confirmCustomerErasure: Screen = (visit) => {
  const back = erasuresPath(visit);
  return page(
    'Erase this customer?',
    <>
      <PageHead
        title="Erase this customer?"
        lead={<span class="mono">{idOf(visit)}</span>}
        under={[back, 'Erasures']}
      />
      <Confirm action={customerErasurePath(visit, idOf(visit))} label="Erase the customer" back={back}>
        The profile goes at once; receipts, pictures and check-ins go within a day. The amounts in the ledger of points
        stay, without the person. Erasure can't be undone.
      </Confirm>
    </>,
  );
};

export const eraseCustomer: Screen = async (visit) => {
  const path = `loyalty/customers/${encodeURIComponent(idOf(visit))}`;
  const erased = await settled(visit.management.send({ method: 'DELETE', path }, z.unknown()));
  if (erased.ok) return seeOther(erasuresPath(visit));
  return notErased(erased.failure, [erasuresPath(visit), 'Erasures']);
};
