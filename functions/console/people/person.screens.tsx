import type { Column } from '../components/data-table.tsx';
import { ShownOnceNote } from '../components/one-time-secret.tsx';
import { Note } from '../components/page-parts.tsx';
import { Ago } from '../components/time.tsx';
import { ACCEPTED } from '../pages/refused-form.ts';
import type { Page, PageRequest } from '../pages/screen.ts';
import { itemPath } from '../resources/resource.ts';
import { createResource, type FormState, itemPage, newResourcePage } from '../resources/resource-form.tsx';
import { resourceList } from '../resources/resource-list.tsx';
import type { ResourceScreens } from '../resources/resource-routes.ts';
import { resourceScreens } from '../resources/resource-screens.ts';
import { AccessPanel } from './access.screens.tsx';
import { passwordPage } from './password-page.tsx';
import { type Person, PersonWithPassword } from './person-answers.ts';
import { PEOPLE, ROLE_LABELS } from './person-form.ts';
import { PersonState } from './person-state.tsx';

const own = (pageRequest: PageRequest, id: string) => itemPath(pageRequest, PEOPLE, id);

export const PEOPLE_SCREENS: ResourceScreens = {
  ...resourceScreens(PEOPLE, personPage),
  list: (pageRequest) =>
    resourceList(pageRequest, PEOPLE, {
      columns: columnsOf(pageRequest),
      emptyText: 'Invite an admin first, who can then invite others.',
    }),
  newForm: invitationPage,
  create: (pageRequest) =>
    createResource(pageRequest, PEOPLE, {
      answer: PersonWithPassword,
      next: (person) => passwordPage(pageRequest, 'Invitation', person),
    }),
};

const columnsOf = (pageRequest: PageRequest): readonly Column<Person>[] => [
  {
    title: 'Person',
    onPhone: 'first',
    cell: ({ id, name }) => (
      <>
        <a class="strong" href={own(pageRequest, id)}>
          {name}
        </a>
        {name !== id && <div class="small faint break">{id}</div>}
      </>
    ),
  },
  { title: 'State', class: 'middle', onPhone: 'second', cell: (person) => <PersonState person={person} /> },
  { title: 'Role', class: 'middle', onPhone: 'first', cell: ({ role }) => ROLE_LABELS[role] },
  {
    title: 'Last active',
    class: 'middle nowrap',
    isRight: true,
    onPhone: 'second',
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? <span class="faint">Never</span> : <Ago at={lastSeenAt} />),
  },
];

const FIRST_ADMIN: FormState = { texts: { email: '', name: '', role: 'admin' }, refused: ACCEPTED };

/** The form of an invitation. A new account leads here. */
function invitationPage(pageRequest: PageRequest): Page {
  if (!pageRequest.query.has('account-created')) return newResourcePage(pageRequest, PEOPLE);
  const { body, ...answer } = newResourcePage(pageRequest, PEOPLE, FIRST_ADMIN);
  const note = `The account ${pageRequest.tenant} is created. Invite its first admin.`;
  return {
    ...answer,
    body: (
      <div class="stack">
        <Note tone="ok">{note}</Note>
        <div>{body}</div>
      </div>
    ),
  };
}

function personPage(pageRequest: PageRequest, person: Person, state: FormState): Page {
  return itemPage(pageRequest, PEOPLE, person, {
    state,
    lead: <PersonState person={person} />,
    above: <Notes pageRequest={pageRequest} />,
    beside: <AccessPanel pageRequest={pageRequest} person={person} />,
  });
}

function Notes({ pageRequest: { query } }: { readonly pageRequest: PageRequest }) {
  return (
    <>
      <ShownOnceNote query={query}>If nobody has copied the password, reset it on this page.</ShownOnceNote>
      {query.has('mailed') && <Note tone="ok">The temporary password was sent by e-mail.</Note>}
    </>
  );
}
