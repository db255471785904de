import * as z from 'zod/mini';
import { Note } from '../components/page-parts.tsx';
import type { Aside } from '../management/management.ts';

/** What decides whether the webhooks of an account go out. */
export const Delivering = z.object({ active: z.boolean(), apiIntegration: z.boolean() });

/** Says why webhooks wait, where they do. An account that cannot be read says nothing. */
export function PauseNote({ account }: { readonly account: Aside<z.output<typeof Delivering>> }) {
  if (!account.ok || (account.value.active && account.value.apiIntegration)) return null;
  if (!account.value.active)
    return <Note tone="warn">The account is suspended. Its webhooks wait until it is resumed.</Note>;
  return (
    <Note tone="warn">
      API integration is off: events send no webhooks, and those that wait go out when it is on again.
    </Note>
  );
}
