import type { Column } from '../components/data-table.tsx';
import { ShownOnceNote } from '../components/one-time-secret.tsx';
import { Note } from '../components/page-parts.tsx';
import { Ago } from '../components/time.tsx';
import { ACCEPTED } from '../pages/refused-form.ts';
import type { PageRequest, Screen } from '../pages/screen.ts';
import { apiItemPath, itemPath } from '../resources/resource.ts';
import {
  changeResource,
  confirmItemDeletion,
  createResource,
  deleteItem,
  type FormState,
  itemPage,
  newResourcePage,
  storedState,
} from '../resources/resource-form.tsx';
import { resourceList } from '../resources/resource-list.tsx';
import { AccessPanel } from './access.screens.tsx';
import { passwordPage } from './password-page.tsx';
import { Person, PersonWithPassword } from './person-answers.ts';
import { PEOPLE, ROLE_LABELS } from './person-form.ts';
import { PersonState } from './person-state.tsx';

const own = (pageRequest: PageRequest, id: string) => itemPath(pageRequest, PEOPLE, id);

export const peopleList: Screen = (pageRequest) =>
  resourceList(pageRequest, PEOPLE, {
    columns: columnsOf(pageRequest),
    emptyText: 'Invite an admin first, who can then invite others.',
  });

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
export const newPerson: Screen = (pageRequest) => {
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
};

export const invitePerson: Screen = (pageRequest) =>
  createResource(pageRequest, PEOPLE, {
    answer: PersonWithPassword,
    next: (person) => passwordPage(pageRequest, 'Invitation', person),
  });

const stored = (pageRequest: PageRequest) =>
  pageRequest.management.get(apiItemPath(PEOPLE, pageRequest.path['id']), Person);

export const personScreen: Screen = async (pageRequest) => {
  const person = await stored(pageRequest);
  return personPage(pageRequest, person, storedState(PEOPLE, person));
};

export const changePerson: Screen = (pageRequest) =>
  changeResource(pageRequest, PEOPLE, (person, state) => personPage(pageRequest, person, state));

const personPage = (pageRequest: PageRequest, person: Person, state: FormState) =>
  itemPage(pageRequest, PEOPLE, person, {
    state,
    lead: <PersonState person={person} />,
    above: <Notes pageRequest={pageRequest} />,
    beside: <AccessPanel pageRequest={pageRequest} person={person} />,
  });

function Notes({ pageRequest: { query } }: { readonly pageRequest: PageRequest }) {
  return (
    <>
      <ShownOnceNote query={query}>If nobody has copied the password, reset it on this page.</ShownOnceNote>
      {query.has('mailed') && <Note tone="ok">The temporary password was sent by e-mail.</Note>}
      {query.has('signed-out') && <Note tone="ok">The person is signed out everywhere.</Note>}
    </>
  );
}

export const confirmPersonDeletion: Screen = (pageRequest) => confirmItemDeletion(pageRequest, PEOPLE);

export const deletePerson: Screen = (pageRequest) => deleteItem(pageRequest, PEOPLE);
