import { randomBytes } from 'node:crypto';
import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminInitiateAuthCommand,
  AdminRemoveUserFromGroupCommand,
  AdminSetUserMFAPreferenceCommand,
  AdminSetUserPasswordCommand,
  AdminUserGlobalSignOutCommand,
  CognitoIdentityProviderClient,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import type { Deployment } from '#shared/command/deployment.cloudformation';

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
  readonly operator: boolean;
  readonly password: string;
  /** True if the person has to choose another password at the first sign-in. */
  readonly isTemporary: boolean;
}

interface Pool {
  readonly cognito: CognitoIdentityProviderClient;
  readonly UserPoolId: string;
}

const poolOf = (deployment: Deployment): Pool => ({
  cognito: new CognitoIdentityProviderClient({ ...deployment.client }),
  UserPoolId: deployment.output('ManagersPool'),
});

/** Makes a person; false, and nothing changes, if there is one of that name. */
export async function addPerson(
  deployment: Deployment,
  { name, password, isTemporary, ...who }: NewPerson,
): Promise<boolean> {
  const pool = poolOf(deployment);
  if (!(await addUser(pool, name, who.tenant))) return false;
  await admit(pool, name, who.operator);
  await setPassword(pool, name, { password, isTemporary });
  return true;
}

/**
 * Lets a person in anew who has lost the password or the authenticator app: another password, no second factor, and
 * every session ends within a quarter of an hour. False, and nothing changes, if there is no such person.
 */
export async function resetPerson(deployment: Deployment, name: string, password: string): Promise<boolean> {
  const pool = poolOf(deployment);
  const user = { UserPoolId: pool.UserPoolId, Username: name };
  try {
    await setPassword(pool, name, { password, isTemporary: true });
  } catch (error) {
    if (error instanceof UserNotFoundException) return false;
    throw error;
  }
  await pool.cognito.send(
    new AdminSetUserMFAPreferenceCommand({
      ...user,
      SoftwareTokenMfaSettings: { Enabled: false, PreferredMfa: false },
    }),
  );
  await pool.cognito.send(new AdminUserGlobalSignOutCommand(user));
  return true;
}

/**
 * A management bearer token: an ID token of the user pool, good for an hour. The user behind it is made when needed and
 * gets a new random password each time, which is not kept: the caller's AWS credentials are what counts.
 */
export async function managementToken(deployment: Deployment, { tenant, operator }: TokenFor): Promise<string> {
  const pool = poolOf(deployment);
  const name = `${operator ? 'operator' : 'tenant'}-${tenant}`;
  await addUser(pool, name, tenant);
  const password = newPassword();
  await setPassword(pool, name, { password, isTemporary: false });
  await admit(pool, name, operator);
  const { AuthenticationResult: result } = await pool.cognito.send(
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

/** 256 random bits, with one of each kind of character that the pool's policy requires. */
export const newPassword = () => `Aa1-${randomBytes(32).toString('base64url')}`;

async function addUser({ cognito, UserPoolId }: Pool, name: string, tenant: string): Promise<boolean> {
  try {
    await cognito.send(
      new AdminCreateUserCommand({
        UserPoolId,
        Username: name,
        MessageAction: 'SUPPRESS',
        UserAttributes: [{ Name: 'custom:tenant', Value: tenant }],
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof UsernameExistsException) return false;
    throw error;
  }
}

interface Password {
  readonly password: string;
  readonly isTemporary: boolean;
}

const setPassword = ({ cognito, UserPoolId }: Pool, name: string, { password, isTemporary }: Password) =>
  cognito.send(
    new AdminSetUserPasswordCommand({ UserPoolId, Username: name, Password: password, Permanent: !isTemporary }),
  );

async function admit({ cognito, UserPoolId }: Pool, name: string, operator: boolean): Promise<void> {
  const membership = { UserPoolId, Username: name, GroupName: 'operator' };
  await (operator
    ? cognito.send(new AdminAddUserToGroupCommand(membership))
    : cognito.send(new AdminRemoveUserFromGroupCommand(membership)));
}
