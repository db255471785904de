import * as z from 'zod/mini';
import { named } from '#shared/http/answer-schemas';
import { CHECK_IN_STATES } from './check-in-state.ts';

export const CheckInStateName = named(
  'CheckInState',
  z.enum(CHECK_IN_STATES),
  'Whether a customer can check in at a place. A check-in is accepted if it is checkable.',
);
