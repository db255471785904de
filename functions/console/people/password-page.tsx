import { OneTimeSecret, SHOWN_ONCE } from '../components/one-time-secret.tsx';
import { PageHead } from '../components/page-parts.tsx';
import { useView } from '../components/view.ts';
import { type Answer, type PageRequest, page, seeOther } from '../pages/screen.ts';
import { itemPath } from '../resources/resource.ts';
import type { PersonWithPassword } from './person-answers.ts';
import { PEOPLE } from './person-form.ts';

/** The page of a temporary password, which is not displayed again, or the person's page if it was mailed. */
export function passwordPage(pageRequest: PageRequest, title: string, person: PersonWithPassword): Answer {
  const path = itemPath(pageRequest, PEOPLE, person.id);
  if (person.temporaryPassword === undefined) return seeOther(`${path}?mailed=1`);
  return page(
    title,
    <>
      <PageHead
        title={title}
        lead={`Give ${person.name} the address, the sign-in name and the password.`}
        under={[path, person.name]}
      />
      <OneTimeSecret
        label="Temporary password"
        secret={person.temporaryPassword}
        facts={{
          Address: <ConsoleAddress />,
          'Sign-in name': <code class="break">{person.id}</code>,
          Validity: 'One sign-in within 7 days, which asks for a new password',
        }}
        next={path}
      />
    </>,
    { reloadLeadsTo: `${path}?${SHOWN_ONCE}=1` },
  );
}

function ConsoleAddress() {
  const { origin } = useView();
  return <code class="break">{`${origin}/console`}</code>;
}
