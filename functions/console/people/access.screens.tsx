import * as z from 'zod/mini';
import { LinkButton, Submit } from '../components/button.tsx';
import { type Notice, withNotice } from '../components/change-notice.tsx';
import { PostForm } from '../components/form.tsx';
import { Card, Facts } from '../components/page-parts.tsx';
import { Ago, Time } from '../components/time.tsx';
import { type ManagementCall, ManagementFailure, settled } from '../management/management.ts';
import { confirmPage } from '../pages/confirm-page.tsx';
import { refusedPage } from '../pages/refused-page.tsx';
import { type PageRequest, type Screen, seeOther } from '../pages/screen.ts';
import { apiItemPath, itemPath, pageOf, storedItem } from '../resources/resource.ts';
import { passwordPage } from './password-page.tsx';
import { type Person, PersonWithPassword } from './person-answers.ts';
import { PEOPLE } from './person-form.ts';

interface PanelProps {
  readonly pageRequest: PageRequest;
  readonly person: Person;
}

/** The card with the sign-in of a person, and the actions that end or restore it. */
export function AccessPanel({ pageRequest, person }: PanelProps) {
  const own = itemPath(pageRequest, PEOPLE, person.id);
  return (
    <Card title="Access">
      <Facts
        facts={{
          'Sign-in name': <span class="break">{person.id}</span>,
          Invited: <Time at={person.createdAt} only="day" />,
          'Last active': person.lastSeenAt === null ? 'Never' : <Ago at={person.lastSeenAt} />,
        }}
      />
      <div class="row">
        <LinkButton label="Reset sign-in…" href={`${own}/reset`} />
        <LinkButton label="Sign out everywhere…" href={`${own}/sign-out`} />
        {person.active ? (
          <LinkButton kind="danger" label="Disable…" href={`${own}/disable`} />
        ) : (
          <PostForm action={`${own}/enable`}>
            <Submit label="Enable" />
          </PostForm>
        )}
      </div>
    </Card>
  );
}

const ACTS = {
  reset: {
    question: (name: string) => `Reset the sign-in of ${name}?`,
    label: 'Reset sign-in',
    text: 'The person gets a temporary password, and sets up another authenticator app. All their sessions end now.',
  },
  'sign-out': {
    question: (name: string) => `Sign ${name} out everywhere?`,
    label: 'Sign out everywhere',
    text: 'All their sessions end now. The person can sign in again.',
  },
  disable: {
    question: (name: string) => `Disable ${name}?`,
    label: 'Disable',
    text: 'All their sessions end now, and the person can no longer sign in until you enable them again.',
  },
} as const;
type Act = keyof typeof ACTS;

const confirming =
  (act: Act): Screen =>
  async (pageRequest) => {
    const { id, name } = await storedItem(pageRequest, PEOPLE);
    const back = itemPath(pageRequest, PEOPLE, id);
    const { question, label, text } = ACTS[act];
    return confirmPage({ title: question(name), under: [back, name], text, action: `${back}/${act}`, label });
  };

export const confirmReset = confirming('reset');
export const confirmSignOut = confirming('sign-out');
const askWhetherToDisable = confirming('disable');

/** Asks before a person is disabled. For the last admin it says at once that this is not possible. */
export const confirmDisabling: Screen = async (pageRequest) => {
  const person = await storedItem(pageRequest, PEOPLE);
  const people = await pageRequest.management.get(PEOPLE.apiPath, pageOf(PEOPLE), { limit: '100' });
  const admins = people.items.filter(({ active, role }) => active && role === 'admin');
  const isLast = people.nextCursor === undefined && admins.length === 1 && admins[0]?.id === person.id;
  if (!isLast) return askWhetherToDisable(pageRequest);
  const detail = 'This is the last active admin. Make another person an admin first.';
  const failure = new ManagementFailure({ status: 409, code: 'last-admin', detail });
  return refusedPage('Not disabled', [itemPath(pageRequest, PEOPLE, person.id), person.name], failure);
};

export const resetPerson: Screen = async (pageRequest) => {
  const path = `${apiItemPath(PEOPLE, pageRequest.path['id'])}/reset`;
  const person = await pageRequest.management.send({ method: 'POST', path }, PersonWithPassword);
  return passwordPage(pageRequest, 'New password', person);
};

/** Makes a change and leads back to the person, or says why the API refuses it. */
const changing =
  (
    title: string,
    change: Omit<ManagementCall, 'path'>,
    { below = '', notice = 'saved' }: { readonly below?: string; readonly notice?: Notice } = {},
  ): Screen =>
  async (pageRequest) => {
    const { id = '' } = pageRequest.path;
    const own = itemPath(pageRequest, PEOPLE, id);
    const call = { ...change, path: `${apiItemPath(PEOPLE, id)}${below}` };
    const answer = await settled(pageRequest.management.send(call, z.unknown()));
    if (answer.ok) return seeOther(withNotice(own, notice));
    return refusedPage(title, [own, id], answer.failure);
  };

const signedOut = { below: '/sessions', notice: 'signed-out' } as const;
export const signOutPerson = changing('Not signed out', { method: 'DELETE' }, signedOut);
export const disablePerson = changing('Not disabled', { method: 'PATCH', body: { active: false } });
export const enablePerson = changing('Not enabled', { method: 'PATCH', body: { active: true } });
