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
    <a class="button small danger" href={`${recordPath(pageRequest, record.id)}/erase`}>
      Erase this record…
    </a>
    <a class="button small danger" href={customerErasurePath(pageRequest, record.customer)}>
      Erase the customer…
    </a>
  </div>
);
