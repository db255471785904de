import { customerErasurePath } from '../erasures/erasure-paths.ts';
import type { Visit } from '../pages/screen.ts';
import type { Details } from './image-answers.ts';
import { recordPath } from './review-queue.screen.tsx';

/** Each leads to a question, never to the act itself. */
export const ErasureLinks = ({ visit, record }: { readonly visit: Visit; readonly record: Details }) => (
  <div class="row">
    <a class="button small danger" href={`${recordPath(visit, record.id)}/erase`}>
      Erase this record…
    </a>
    <a class="button small danger" href={customerErasurePath(visit, record.customer)}>
      Erase the customer…
    </a>
  </div>
);
