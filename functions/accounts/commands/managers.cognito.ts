import {
  AdminAddUserToGroupCommand,
  AdminInitiateAuthCommand,
  AdminRemoveUserFromGroupCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import * as z from 'zod';
import type { Role } from '#shared/auth/role';
import type { Deployment } from '#shared/command/deployment.cloudformation';
import { isoTime } from '#shared/formats/timestamp';
import { dynamoDbClient } from '#shared/table/table.dynamodb';
import { personStore } from '../people/person-store.dynamodb.ts';
import { createdUser, newPassword, type Pool, poolSignIns } from '../people/sign-ins.cognito.ts';

/** The person or operator for whom a token is made. */
export interface TokenFor {
  readonly tenant: string;
  readonly operator: boolean;
}

/** A person who signs in to the administration screens. */
export interface NewPerson {
  readonly name: string;
  /** The tenant of the person; set once and for good. */
  readonly tenant: string;
  readonly role: Role;
  readonly password: string;
  /** True if the person has to choose another password at the first sign-in. */
  readonly isTemporary: boolean;
}

const poolOf = (deployment: Deployment): Pool => ({
  client: new CognitoIdentityProviderClient({ ...deployment.client }),
  UserPoolId: deployment.output('ManagersPool'),
});

const peopleOf = (deployment: Deployment) =>
  personStore({ name: deployment.output('AccountsTable'), client: dynamoDbClient(deployment.client) });

/** Makes a person; false, and nothing changes, if there is one of that name. */
export async function addPerson(
  deployment: Deployment,
  { name: id, tenant, role, password, isTemporary }: NewPerson,
  now: number,
): Promise<boolean> {
  const pool = poolOf(deployment);
  const email = z.email().safeParse(id).data;
  const person = { id, tenant, name: id, role, active: true, createdAt: isoTime(now), ...(email && { email }) };
  if (!(await poolSignIns(pool).create(person)) || !(await peopleOf(deployment).add(person))) return false;
  await admit(pool, id, role === 'operator');
  await setPassword(pool, id, { password, isTemporary });
  return true;
}

/**
 * Lets a person in anew who has lost the password or the authenticator app: another password, no second factor, and
 * every session ends. False, and nothing changes, if there is no such person.
 */
export async function resetPerson(
  deployment: Deployment,
  { name, password }: Pick<NewPerson, 'name' | 'password'>,
  now: number,
): Promise<boolean> {
  const signIns = poolSignIns(poolOf(deployment));
  try {
    await signIns.reset(name, password);
  } catch (error) {
    if (error instanceof UserNotFoundException) return false;
    throw error;
  }
  await peopleOf(deployment).endSessions(name, now);
  await signIns.signOut(name);
  return true;
}

/**
 * A management bearer token: an ID token of the user pool, good for an hour. The user behind it is made when needed and
 * gets a new random password each time, which is not kept: the caller's AWS credentials are what counts.
 */
export async function managementToken(deployment: Deployment, { tenant, operator }: TokenFor): Promise<string> {
  const pool = poolOf(deployment);
  const name = `${operator ? 'operator' : 'tenant'}-${tenant}`;
  await createdUser(pool, name, tenant);
  const password = newPassword();
  await setPassword(pool, name, { password, isTemporary: false });
  await admit(pool, name, operator);
  const { AuthenticationResult: result } = await pool.client.send(
    new AdminInitiateAuthCommand({
      UserPoolId: pool.UserPoolId,
      ClientId: deployment.output('ManagersClient'),
      AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: name, PASSWORD: password },
    }),
  );
  if (!result?.IdToken) throw new Error('The user pool returned no token.');
  return result.IdToken;
}

interface Password {
  readonly password: string;
  readonly isTemporary: boolean;
}

const setPassword = ({ client, UserPoolId }: Pool, name: string, { password, isTemporary }: Password) =>
  client.send(
    new AdminSetUserPasswordCommand({ UserPoolId, Username: name, Password: password, Permanent: !isTemporary }),
  );

async function admit({ client, UserPoolId }: Pool, name: string, operator: boolean): Promise<void> {
  const membership = { UserPoolId, Username: name, GroupName: 'operator' };
  await (operator
    ? client.send(new AdminAddUserToGroupCommand(membership))
    : client.send(new AdminRemoveUserFromGroupCommand(membership)));
}
