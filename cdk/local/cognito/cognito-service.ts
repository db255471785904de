/** Amazon Cognito user pools behind the AWS endpoint, as far as administrators and sign-in need them. */
import { z } from 'zod';
import type { AwsResponse, UnsignedRequest } from '../endpoint/aws-service.ts';
import type { WatchedRequest } from '../endpoint/exchange.ts';
import { textIn } from '../endpoint/json.ts';
import { JsonService, type Operation, type Operations } from '../endpoint/json-service.ts';
import { CognitoError } from './cognito-error.ts';
import { confirmForgotPassword, forgotPassword } from './forgotten-passwords.ts';
import { changePassword, globalSignOut } from './own-sign-in.ts';
import { Pools } from './pools.ts';
import { initiateAuth, respondToChallenge } from './sign-in.ts';
import {
  adminSetUserMfaPreference,
  associateSoftwareToken,
  getUser,
  setUserMfaPreference,
  verifySoftwareToken,
} from './software-tokens.ts';
import {
  adminAddUserToGroup,
  adminCreateUser,
  adminDeleteUser,
  adminGetUser,
  adminListGroupsForUser,
  adminRemoveUserFromGroup,
  adminSetEnabled,
  adminSetUserPassword,
  adminUserGlobalSignOut,
  listUsers,
  type UserAction,
} from './user-actions.ts';
import type { UserPool } from './user-pool.ts';

type Action = (action: UserAction) => object | Promise<object>;

const ACTIONS: Readonly<Record<string, Action>> = {
  AdminCreateUser: adminCreateUser,
  AdminGetUser: adminGetUser,
  AdminDeleteUser: adminDeleteUser,
  ListUsers: listUsers,
  AdminSetUserPassword: adminSetUserPassword,
  AdminAddUserToGroup: adminAddUserToGroup,
  AdminRemoveUserFromGroup: adminRemoveUserFromGroup,
  AdminListGroupsForUser: adminListGroupsForUser,
  AdminEnableUser: (action) => adminSetEnabled(action, true),
  AdminDisableUser: (action) => adminSetEnabled(action, false),
  AdminSetUserMFAPreference: adminSetUserMfaPreference,
  AdminUserGlobalSignOut: adminUserGlobalSignOut,
  AdminInitiateAuth: initiateAuth,
  AdminRespondToAuthChallenge: respondToChallenge,
};

/** Actions of users who are signed in. Their access token proves who they are and names the pool, so AWS takes no signature. */
const TOKEN_ACTIONS: Readonly<Record<string, Action>> = {
  AssociateSoftwareToken: associateSoftwareToken,
  ChangePassword: changePassword,
  GetUser: getUser,
  GlobalSignOut: globalSignOut,
  SetUserMFAPreference: setUserMfaPreference,
  VerifySoftwareToken: verifySoftwareToken,
};

/** Actions of users who cannot sign in. The client names the pool, and AWS takes no signature. */
const CLIENT_ACTIONS: Readonly<Record<string, Action>> = {
  ConfirmForgotPassword: confirmForgotPassword,
  ForgotPassword: forgotPassword,
};

/** A pool's id has an underscore, which no bucket name has, so no S3 path is mistaken for the keys of a pool. */
const KEYS = /^\/([\w-]+_[0-9a-zA-Z]+)\/\.well-known\/jwks\.json$/;

const PROTOCOL = {
  signingName: 'cognito-idp',
  product: 'Cognito',
  target: 'AWSCognitoIdentityProviderService.',
  version: '1.1',
} as const;

const OPERATIONS: Operations<Pools> = Object.fromEntries([
  ...Object.entries(ACTIONS).map(([name, act]) => {
    const operation: Operation<Pools> = (pools, input) => {
      const id = textIn(input, 'UserPoolId') ?? '';
      return {
        permissions: [{ action: `cognito-idp:${name}`, resource: pools.find(id)?.settings.arn ?? '*' }],
        answer: () => runAction(act, { pool: pools.named(id), input, now: pools.now() }),
      };
    };
    return [name, operation] as const;
  }),
  ...Object.entries(CLIENT_ACTIONS).map(([name, act]) => {
    const operation: Operation<Pools> = (pools, input) => ({
      permissions: [],
      answer: () => runAction(act, { pool: pools.ofClient(textIn(input, 'ClientId') ?? ''), input, now: pools.now() }),
    });
    return [name, operation] as const;
  }),
  ...Object.entries(TOKEN_ACTIONS).map(([name, act]) => {
    const operation: Operation<Pools> = (pools, input) => ({
      permissions: [],
      answer: () =>
        runAction(act, { pool: pools.ofToken(textIn(input, 'AccessToken') ?? ''), input, now: pools.now() }),
    });
    return [name, operation] as const;
  }),
]);

export class CognitoService extends JsonService<Pools> {
  constructor(now: () => Date) {
    super(PROTOCOL, OPERATIONS, new Pools(now));
  }

  add(pool: UserPool): void {
    this.store.add(pool);
  }

  pool(id: string): UserPool {
    return this.store.named(id);
  }

  /** Administrators' calls are signed. An unknown action passes this check, so that it is refused by its name. */
  isPublic(request: UnsignedRequest): boolean {
    const action = this.operationIn(request);
    if (action !== undefined) return request.method === 'POST' && !Object.hasOwn(ACTIONS, action);
    return request.method === 'GET' && KEYS.test(request.path);
  }

  override async handle(request: WatchedRequest): Promise<AwsResponse> {
    const [, id] = KEYS.exec(request.path) ?? [];
    if (request.method !== 'GET' || id === undefined) return super.handle(request);
    const { publicKey, keyId } = this.pool(id);
    const key = { ...publicKey.export({ format: 'jwk' }), alg: 'RS256', kid: keyId, use: 'sig' };
    return this.succeeded({ keys: [key] });
  }
}

/** Runs an action, whose schema reads its input. */
async function runAction(act: Action, action: UserAction): Promise<object> {
  try {
    return await act(action);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new CognitoError('InvalidParameterException', z.prettifyError(error));
  }
}
