import * as z from 'zod/mini';
import { LinkButton } from '../components/button.tsx';
import { Card, Problem } from '../components/page-parts.tsx';
import type { Settled } from '../management/management.ts';
import { screenPath } from '../pages/screen.ts';
import { itemPath, newPath } from '../resources/resource.ts';
import { Person } from './person-answers.ts';
import { PEOPLE, ROLE_LABELS } from './person-form.ts';
import { PersonState } from './person-state.tsx';

export const PersonPage = z.object({ items: z.array(Person), nextCursor: z.optional(z.string()) });

interface PanelProps {
  readonly tenant: string;
  readonly people: Settled<z.output<typeof PersonPage>>;
}

/** The newest people of an account, on the account's page. */
export function PeoplePanel({ tenant, people }: PanelProps) {
  return (
    <Card title="People">
      {people.ok ? <Newest tenant={tenant} page={people.value} /> : <Problem failure={people.failure} />}
      <div class="row">
        <LinkButton kind="small" label="Invite a person" href={newPath({ tenant }, PEOPLE)} />
      </div>
    </Card>
  );
}

function Newest({
  tenant,
  page: { items, nextCursor },
}: {
  readonly tenant: string;
  readonly page: z.output<typeof PersonPage>;
}) {
  if (items.length === 0) return <p class="muted">Nobody can sign in to this account yet.</p>;
  return (
    <>
      <ul class="plain stack">
        {items.map((person) => (
          <li key={person.id} class="row">
            <a href={itemPath({ tenant }, PEOPLE, person.id)}>{person.name}</a>
            <span class="muted">{ROLE_LABELS[person.role]}</span>
            <PersonState person={person} />
          </li>
        ))}
      </ul>
      {nextCursor !== undefined && <a href={screenPath({ tenant }, 'people')}>All people</a>}
    </>
  );
}
