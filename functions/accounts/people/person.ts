import * as z from 'zod';
import type { PersonStanding } from '#shared/auth/person';
import { TENANT_ROLES } from '#shared/auth/role';
import { noSuch, Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';

export const TenantRole = z
  .enum(TENANT_ROLES)
  .meta({ id: 'Role', description: 'What a person may do: a reviewer what a viewer may, an admin everything.' });

/** One line, because the mail of an invitation contains it. */
const Name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, 'must be one line');

export const NewPerson = z
  .strictObject({
    email: z
      .email()
      .max(128)
      .transform((email) => email.toLowerCase())
      .describe('The person signs in with this address.'),
    name: Name,
    role: TenantRole,
  })
  .meta({ id: 'NewPerson' });
export type NewPerson = z.output<typeof NewPerson>;

export const PersonChange = z
  .strictObject({
    name: Name.optional(),
    role: TenantRole.optional(),
    active: z.boolean().optional().describe('False: the person cannot sign in, and all sessions end.'),
  })
  .meta({ id: 'PersonChange' });
export type PersonChange = z.output<typeof PersonChange>;

/** A person who may sign in to the console. */
export interface Person extends PersonStanding {
  /** The name for signing in: an e-mail address, or the name that was given to a command. */
  readonly id: string;
  readonly name: string;
  readonly email?: string | undefined;
}

/** The outcome of replacing a person; `changed` if another write came first. */
type ReplaceOutcome = 'done' | 'changed' | 'last-admin';

/** The stored people. */
export interface People {
  /** False if there is one of this id. */
  add(person: Person): Promise<boolean>;
  byId(id: string): Promise<Person | undefined>;
  list(tenant: string, page: PageQuery): Promise<Page<Person>>;
  /** Replaces a person as it was read, unless its tenant would be left without an active admin. */
  replace(read: Person, person: Person): Promise<ReplaceOutcome>;
  /** Ends the sessions that began until now. */
  endSessions(id: string, now: number): Promise<void>;
  /** Removes a person who is not active. False if the person is active. */
  remove(id: string): Promise<boolean>;
}

/** The passwords and authenticator apps of people, in the user pool. Every call may be repeated. */
export interface SignIns {
  /** Makes the user, unless there is one. False if the user belongs to another tenant. */
  create(person: Pick<Person, 'id' | 'tenant'>): Promise<boolean>;
  /** Sets a password that has to be replaced at the first sign-in, and removes the authenticator app. */
  reset(id: string, temporaryPassword: string): Promise<void>;
  setEnabled(id: string, isEnabled: boolean): Promise<void>;
  /** Revokes the tokens by which sessions are continued. */
  signOut(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}

export interface PeopleParts {
  readonly people: People;
  readonly signIns: SignIns;
  readonly newPassword: () => string;
}

/** A person with the password for the first sign-in. */
export interface WithPassword {
  readonly person: Person;
  readonly temporaryPassword: string;
}

/** Makes a person, who chooses a password at the first sign-in. */
export async function invitePerson(
  { people, signIns, newPassword }: PeopleParts,
  { email, ...input }: NewPerson,
  { tenant, now }: { readonly tenant: string; readonly now: number },
): Promise<WithPassword> {
  const person: Person = { ...input, id: email, email, tenant, active: true, createdAt: isoTime(now) };
  if (await people.byId(person.id)) throw exists();
  // A repetition finds the user that an interrupted invitation has made.
  if (!(await signIns.create(person)) || !(await people.add(person))) throw exists();
  const temporaryPassword = newPassword();
  await signIns.reset(person.id, temporaryPassword);
  return { person, temporaryPassword };
}

const exists = () => new Refusal(409, 'person-exists', 'Somebody with this e-mail address can already sign in.');

/** Returns a person of a tenant. Operators belong to none: no tenant may see or change them. */
export async function personById({ people }: Pick<PeopleParts, 'people'>, { tenant, id }: TenantKey): Promise<Person> {
  const person = await people.byId(id);
  if (!person || person.tenant !== tenant || person.role === 'operator') {
    noSuch('person');
  }
  return person;
}

/** Changes a person. The user pool is asked even if nothing changes, so that a repetition completes what was begun. */
export async function changePerson(parts: PeopleParts, key: TenantKey, change: PersonChange, now: number) {
  const read = await personById(parts, key);
  const { name = read.name, role = read.role, active = read.active } = change;
  const ends = change.active === false ? { signedOutAt: isoTime(now) } : {};
  const person: Person = { ...read, name, role, active, ...ends };
  if (change.active === true) await parts.signIns.setEnabled(read.id, true);
  requireDone(await parts.people.replace(read, person));
  if (change.active === false) {
    await parts.signIns.setEnabled(read.id, false);
    await parts.signIns.signOut(read.id);
  }
  return person;
}

function requireDone(outcome: ReplaceOutcome): void {
  if (outcome === 'done') return;
  if (outcome === 'changed') {
    throw new Refusal(409, 'changed-meanwhile', 'Somebody else changed this person at the same time. Try again.');
  }
  throw new Refusal(
    409,
    'last-admin',
    'This is the last active admin of the account. Make somebody else an admin first.',
  );
}

/** Gives a person who cannot sign in another password, removes the authenticator app and ends all sessions. */
export async function resetPerson(parts: PeopleParts, key: TenantKey, now: number): Promise<WithPassword> {
  const person = await personById(parts, key);
  // A deletion may have ended after the user was removed.
  if (!(await parts.signIns.create(person))) throw exists();
  const temporaryPassword = parts.newPassword();
  await parts.signIns.reset(person.id, temporaryPassword);
  await endSessions(parts, person.id, now);
  return { person, temporaryPassword };
}

export async function signOutPerson(parts: PeopleParts, key: TenantKey, now: number): Promise<void> {
  const { id } = await personById(parts, key);
  await endSessions(parts, id, now);
}

/** The management API refuses the sessions at once, and the console cannot continue them. */
async function endSessions({ people, signIns }: PeopleParts, id: string, now: number): Promise<void> {
  await people.endSessions(id, now);
  await signIns.signOut(id);
}

/** Removes a person: from the admins first, which may be refused, and what leads to the rest last. */
export async function removePerson(parts: PeopleParts, key: TenantKey): Promise<void> {
  const read = await personById(parts, key);
  requireDone(await parts.people.replace(read, { ...read, active: false }));
  await parts.signIns.remove(read.id);
  if (!(await parts.people.remove(read.id))) requireDone('changed');
}

/** A person as the management API shows it. */
export const presentPerson = ({ id, name, email, role, active, createdAt, lastSeenAt }: Person) => ({
  id,
  name,
  email: email ?? null,
  role: TenantRole.parse(role),
  active,
  createdAt,
  lastSeenAt: lastSeenAt ?? null,
});
