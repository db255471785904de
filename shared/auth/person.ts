import type { Role } from './role.ts';

/** The prefix of the partition key of a person's item in the accounts table. */
export const PERSON = 'PERSON#';
/** The list of a tenant's people in the index `Listing`. */
export const PEOPLE = 'PEOPLE#';
/** The prefix of the partition key of the names of a tenant's active admins. */
export const ADMINS = 'ADMINS#';
export type PersonKey = typeof PERSON | typeof ADMINS;

/** The facts that decide whether a person's token is accepted, and for which routes. */
export interface PersonStanding {
  readonly tenant: string;
  readonly role: Role;
  readonly active: boolean;
  readonly createdAt: string;
  /** Sessions that began until then have ended. */
  readonly signedOutAt?: string | undefined;
  /** The last recorded request, to within an hour. */
  readonly lastSeenAt?: string | undefined;
}

/** Looks up the people who sign in to the console. */
export interface KnownPeople {
  /** @param id what the person signs in with */
  byId(id: string): Promise<PersonStanding | undefined>;
  /** Records a request of a person, unless another one was recorded since the person was read. */
  recordRequest(id: string, person: Pick<PersonStanding, 'lastSeenAt'>, now: number): Promise<void>;
}

/** A sign-in of a person: the second in which it happened, as tokens state it. */
export interface SignIn {
  readonly tenant: string;
  readonly signedInSecond: number;
}

const secondOf = (time: string) => Math.floor(Date.parse(time) / 1_000);

/**
 * Returns whether a sign-in still counts: the person is active, belongs to the tenant of the token, was not deleted and
 * invited again since, and was not signed out since. Tokens state whole seconds, so a sign-in in the second of a
 * sign-out has ended too.
 */
export function isCurrent(person: PersonStanding, { tenant, signedInSecond }: SignIn): boolean {
  const { active, createdAt, signedOutAt } = person;
  if (!active || person.tenant !== tenant || signedInSecond < secondOf(createdAt)) return false;
  return signedOutAt === undefined || signedInSecond > secondOf(signedOutAt);
}
