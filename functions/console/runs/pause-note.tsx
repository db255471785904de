import * as z from 'zod/mini';
import { Note } from '../components/page-parts.tsx';
import type { Settled } from '../management/management.ts';

/** The members of an account that decide whether its webhooks are sent. */
export const Delivering = z.object({ active: z.boolean(), apiIntegration: z.boolean() });

/** A note that the webhooks of an account are paused. Nothing is shown for an account that cannot be read. */
export function PauseNote({ account }: { readonly account: Settled<z.output<typeof Delivering>> }) {
  if (!account.ok || (account.value.active && account.value.apiIntegration)) return null;
  if (!account.value.active)
    return <Note tone="warn">The account is suspended. Its webhooks wait until it is resumed.</Note>;
  return (
    <Note tone="warn">
      API integration is off: events send no webhooks, and waiting webhooks are sent when it is turned on again.
    </Note>
  );
}
