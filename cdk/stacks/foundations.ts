import type { DataStack } from './data-stack.ts';
import type { EdgeStack } from './edge-stack.ts';

/** The stacks that a domain builds on. It refers downwards only: to the edge and to the data, never to another domain. */
export interface Foundations {
  readonly data: DataStack;
  readonly edge: EdgeStack;
}
