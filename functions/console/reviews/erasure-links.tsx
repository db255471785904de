import { LinkButton } from '../components/button.tsx';
import { customerErasurePath } from '../erasures/erasure-paths.ts';
import type { PageRequest } from '../pages/screen.ts';
import type { Details } from './image-answers.ts';
import { recordPath } from './review-queue.screen.tsx';

/** Each leads to a question, never to the act itself. */
export const ErasureLinks = ({
  pageRequest,
  record,
}: {
  readonly pageRequest: PageRequest;
  readonly record: Details;
}) => (
  <div class="row">
    <LinkButton kind="small danger" label="Erase this record…" href={`${recordPath(pageRequest, record.id)}/erase`} />
    <LinkButton
      kind="small danger"
      label="Erase the customer…"
      href={customerErasurePath(pageRequest, record.customer)}
    />
  </div>
);
