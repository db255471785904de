import { randomBytes } from 'node:crypto';
import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminInitiateAuthCommand,
  AdminRemoveUserFromGroupCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import type { Deployment } from '#shared/deployment.cloudformation';

/** Who a token is for. */
export interface TokenFor {
  readonly tenant: string;
  readonly operator: boolean;
}

/**
 * A management bearer token: an ID token of the user pool, good for an hour. The user behind it is made when needed and
 * gets a new random password each time, which is not kept: the caller's AWS credentials are what counts.
 */
export async function managementToken(deployment: Deployment, { tenant, operator }: TokenFor): Promise<string> {
  const cognito = new CognitoIdentityProviderClient({ ...deployment.client });
  const pool = deployment.output('ManagersPool');
  const user = { UserPoolId: pool, Username: `${operator ? 'operator' : 'tenant'}-${tenant}` };
  await cognito
    .send(
      new AdminCreateUserCommand({
        ...user,
        MessageAction: 'SUPPRESS',
        UserAttributes: [{ Name: 'custom:tenant', Value: tenant }],
      }),
    )
    .catch((error: unknown) => {
      if (!(error instanceof UsernameExistsException)) throw error;
    });
  const password = newPassword();
  await cognito.send(new AdminSetUserPasswordCommand({ ...user, Password: password, Permanent: true }));
  const group = { ...user, GroupName: 'operator' };
  await cognito.send(operator ? new AdminAddUserToGroupCommand(group) : new AdminRemoveUserFromGroupCommand(group));
  const { AuthenticationResult: result } = await cognito.send(
    new AdminInitiateAuthCommand({
      UserPoolId: pool,
      ClientId: deployment.output('ManagersClient'),
      AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: user.Username, PASSWORD: password },
    }),
  );
  if (!result?.IdToken) throw new Error('The user pool returned no token.');
  return result.IdToken;
}

/** 256 random bits, with one of each kind of character that the pool's policy requires. */
const newPassword = () => `Aa1-${randomBytes(32).toString('base64url')}`;
