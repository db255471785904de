/** The calls by which an administrator manages the users of a pool. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { CognitoError } from './cognito-error.ts';
import { passwordFault } from './passwords.ts';
import type { User, UserPool } from './user-pool.ts';

const STANDARD = new Set(
  (
    'address birthdate email email_verified family_name gender given_name locale middle_name name nickname ' +
    'phone_number phone_number_verified picture preferred_username profile updated_at website zoneinfo'
  ).split(' '),
);

const Attributes = z.array(z.object({ Name: z.string(), Value: z.string().default('') })).default([]);
const Named = z.object({ Username: z.string().min(1) });

export interface UserAction {
  readonly pool: UserPool;
  readonly input: unknown;
  readonly now: Date;
}

export function adminCreateUser({ pool, input, now }: UserAction) {
  const { Username, UserAttributes, TemporaryPassword } = Named.extend({
    UserAttributes: Attributes,
    TemporaryPassword: z.string().optional(),
  }).parse(input);
  if (pool.user(Username)) throw new CognitoError('UsernameExistsException', 'User account already exists');
  const sub = randomUUID();
  const attributes = asRecord(UserAttributes);
  checkAttributes(pool, attributes);
  if (TemporaryPassword !== undefined) checkPassword(pool, TemporaryPassword);
  const user: User = {
    username: Username,
    attributes: { sub, ...attributes },
    groups: [],
    enabled: true,
    status: 'FORCE_CHANGE_PASSWORD',
    temporaryUntil: temporaryUntil(pool, now),
    ...(TemporaryPassword !== undefined && { password: pool.hashPassword(TemporaryPassword) }),
    createdAt: seconds(now),
    modifiedAt: seconds(now),
  };
  pool.put(user);
  return { User: { ...userView(user), Attributes: attributesOf(user) } };
}

const temporaryUntil = ({ settings }: UserPool, now: Date) => seconds(now) + settings.temporaryPasswordDays * 86_400;

export function adminGetUser({ pool, input }: UserAction) {
  const user = userOf(pool, input);
  return { ...userView(user), UserAttributes: attributesOf(user) };
}

const Listing = z.object({
  Limit: z.number().int().min(1).max(60).default(60),
  PaginationToken: z.string().optional(),
  Filter: z.undefined({ error: 'Filters are not known here.' }).optional(),
});

/** A page of all users. The token is the name of the last one. */
export function listUsers({ pool, input }: UserAction) {
  const { Limit, PaginationToken: after = '' } = Listing.parse(input);
  const rest = pool.all().filter(({ username }) => username > after);
  const page = rest.slice(0, Limit);
  return {
    Users: page.map((user) => ({ ...userView(user), Attributes: attributesOf(user) })),
    ...(rest.length > Limit && { PaginationToken: page.at(-1)?.username }),
  };
}

export function adminDeleteUser({ pool, input }: UserAction) {
  const { username } = userOf(pool, input);
  pool.forgetRefreshes(username);
  pool.remove(username);
  return {};
}

export function adminSetUserPassword({ pool, input, now }: UserAction) {
  const { Password, Permanent } = z
    .object({ Password: z.string(), Permanent: z.boolean().default(false) })
    .parse(input);
  const user = userOf(pool, input);
  checkPassword(pool, Password);
  const password = pool.hashPassword(Password);
  const status = Permanent ? 'CONFIRMED' : 'FORCE_CHANGE_PASSWORD';
  pool.put({ ...user, password, status, temporaryUntil: temporaryUntil(pool, now), modifiedAt: seconds(now) });
  return {};
}

export function adminAddUserToGroup({ pool, input, now }: UserAction) {
  const user = userOf(pool, input);
  const group = groupOf(pool, input);
  const groups = [...new Set([...user.groups, group])].sort();
  pool.put({ ...user, groups, modifiedAt: seconds(now) });
  return {};
}

export function adminRemoveUserFromGroup({ pool, input, now }: UserAction) {
  const user = userOf(pool, input);
  const group = groupOf(pool, input);
  pool.put({ ...user, groups: user.groups.filter((name) => name !== group), modifiedAt: seconds(now) });
  return {};
}

export function adminListGroupsForUser({ pool, input }: UserAction) {
  const { groups } = userOf(pool, input);
  return { Groups: groups.map((GroupName) => ({ GroupName, UserPoolId: pool.settings.id })) };
}

export function adminSetEnabled({ pool, input, now }: UserAction, enabled: boolean) {
  pool.put({ ...userOf(pool, input), enabled, modifiedAt: seconds(now) });
  return {};
}

export function adminUserGlobalSignOut({ pool, input }: UserAction) {
  pool.forgetRefreshes(userOf(pool, input).username);
  return {};
}

export function userOf(pool: UserPool, input: unknown): User {
  const user = pool.user(Named.parse(input).Username);
  if (!user) throw new CognitoError('UserNotFoundException', 'User does not exist.');
  return user;
}

function groupOf(pool: UserPool, input: unknown): string {
  const { GroupName } = z.object({ GroupName: z.string() }).parse(input);
  if (!pool.groups.has(GroupName)) throw new CognitoError('ResourceNotFoundException', 'Group not found.');
  return GroupName;
}

export function checkPassword(pool: UserPool, password: string) {
  const lacks = passwordFault(password, pool.settings.passwordPolicy);
  if (lacks === undefined) return;
  throw new CognitoError('InvalidPasswordException', `Password did not conform with password policy: ${lacks}`);
}

function checkAttributes({ settings }: UserPool, attributes: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(attributes)) {
    const custom = settings.customAttributes.find((attribute) => attribute.name === name);
    const problem = custom
      ? lengthProblem(value, custom.minLength, custom.maxLength)
      : STANDARD.has(name)
        ? undefined
        : 'Attribute does not exist in the schema.';
    if (problem) {
      throw new CognitoError(
        'InvalidParameterException',
        `Attributes did not conform to the schema: ${name}: ${problem}`,
      );
    }
  }
}

function lengthProblem(value: string, minimum: number, maximum: number): string | undefined {
  if (value.length < minimum) return `String must be at least ${minimum} characters long`;
  return value.length > maximum ? `String must be no longer than ${maximum} characters` : undefined;
}

function userView({ username, createdAt, modifiedAt, enabled, status }: User) {
  return {
    Username: username,
    UserCreateDate: createdAt,
    UserLastModifiedDate: modifiedAt,
    Enabled: enabled,
    UserStatus: status,
  };
}

export const attributesOf = ({ attributes }: User) =>
  Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
const asRecord = (attributes: z.output<typeof Attributes>): Record<string, string> =>
  Object.fromEntries(attributes.map(({ Name, Value }) => [Name, Value]));
const seconds = (time: Date) => Math.floor(time.getTime() / 1000);
