import {
  AdminDeleteUserCommand,
  CognitoIdentityProviderClient,
  paginateListUsers,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import { callLimits } from '#shared/quotas/call-limits';

/**
 * Removes the people of a tenant from the user pool, and with them their sessions. The pool finds nobody by the tenant, so
 * all are looked at.
 */
export const erasedPeople =
  (UserPoolId: string, client: CognitoIdentityProviderClient = ownClient()) =>
  async (tenant: string): Promise<void> => {
    const names: string[] = [];
    for await (const { Users: users = [] } of paginateListUsers({ client }, { UserPoolId })) {
      for (const { Username: name, Attributes: attributes = [] } of users) {
        const own = attributes.find(({ Name }) => Name === 'custom:tenant')?.Value;
        if (name !== undefined && own === tenant) names.push(name);
      }
    }
    // After the list: the position of a list need not survive that people are removed.
    for (const Username of names) {
      try {
        await client.send(new AdminDeleteUserCommand({ UserPoolId, Username }));
      } catch (error) {
        if (!(error instanceof UserNotFoundException)) throw error;
      }
    }
  };

const ownClient = () => new CognitoIdentityProviderClient({ maxAttempts: 5, requestHandler: callLimits(5_000) });
