import { randomBytes } from 'node:crypto';
import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminSetUserMFAPreferenceCommand,
  AdminSetUserPasswordCommand,
  AdminUserGlobalSignOutCommand,
  type CognitoIdentityProviderClient,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import type { SignIns } from './person.ts';

export interface Pool {
  readonly client: CognitoIdentityProviderClient;
  readonly UserPoolId: string;
}

/** 256 random bits, with one of each kind of character that the pool's policy requires. */
export const newPassword = (): string => `Aa1-${randomBytes(32).toString('base64url')}`;

/** The users of the pool. */
export const poolSignIns = ({ client, UserPoolId }: Pool): SignIns => {
  const signOut = async (Username: string) => {
    await client.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username }));
  };

  return {
    async create({ id: Username, tenant }) {
      if (await createdUser({ client, UserPoolId }, Username, tenant)) return true;
      const { UserAttributes = [] } = await client.send(new AdminGetUserCommand({ UserPoolId, Username }));
      return UserAttributes.find(({ Name }) => Name === 'custom:tenant')?.Value === tenant;
    },

    async reset(Username, Password) {
      await client.send(new AdminSetUserPasswordCommand({ UserPoolId, Username, Password, Permanent: false }));
      const SoftwareTokenMfaSettings = { Enabled: false, PreferredMfa: false };
      await client.send(new AdminSetUserMFAPreferenceCommand({ UserPoolId, Username, SoftwareTokenMfaSettings }));
    },

    async setEnabled(Username, isEnabled) {
      const user = { UserPoolId, Username };
      await (isEnabled
        ? client.send(new AdminEnableUserCommand(user))
        : client.send(new AdminDisableUserCommand(user)));
    },

    signOut,

    async remove(Username) {
      try {
        // Tokens of a deleted user continue no session.
        await client.send(new AdminDeleteUserCommand({ UserPoolId, Username }));
      } catch (error) {
        if (!(error instanceof UserNotFoundException)) throw error;
      }
    },
  };
};

/** False, and nothing changes, if there is a user of that name. The tenant is set once and for good. */
export async function createdUser({ client, UserPoolId }: Pool, Username: string, tenant: string): Promise<boolean> {
  const isAddress = Username.includes('@');
  const UserAttributes = [
    { Name: 'custom:tenant', Value: tenant },
    // Codes for forgotten passwords are mailed to it.
    ...(isAddress
      ? [
          { Name: 'email', Value: Username },
          { Name: 'email_verified', Value: 'true' },
        ]
      : []),
  ];
  try {
    await client.send(new AdminCreateUserCommand({ UserPoolId, Username, MessageAction: 'SUPPRESS', UserAttributes }));
    return true;
  } catch (error) {
    if (error instanceof UsernameExistsException) return false;
    throw error;
  }
}
