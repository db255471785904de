/** Amazon Cognito user pools behind the AWS endpoint, as far as administrators and sign-in need them. */
import { decodeJwt } from 'jose';
import { z } from 'zod';
import type {
  AwsRequest,
  AwsResponse,
  AwsService,
  NeededPermission,
  UnsignedRequest,
} from '../endpoint/aws-service.ts';
import { type JsonObject, jsonBody, textIn } from '../endpoint/json.ts';
import { jsonError } from '../endpoint/json-protocol.ts';
import { CognitoError } from './cognito-error.ts';
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
  adminUpdateUserAttributes,
  adminUserGlobalSignOut,
  listUsers,
  type UserAction,
} from './user-actions.ts';
import type { UserPool } from './user-pool.ts';

const ACTIONS: Readonly<Record<string, (action: UserAction) => object | Promise<object>>> = {
  AdminCreateUser: adminCreateUser,
  AdminGetUser: adminGetUser,
  AdminDeleteUser: adminDeleteUser,
  ListUsers: listUsers,
  AdminSetUserPassword: adminSetUserPassword,
  AdminUpdateUserAttributes: adminUpdateUserAttributes,
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
const TOKEN_ACTIONS: Readonly<Record<string, (action: UserAction) => Promise<object>>> = {
  AssociateSoftwareToken: associateSoftwareToken,
  GetUser: getUser,
  SetUserMFAPreference: setUserMfaPreference,
  VerifySoftwareToken: verifySoftwareToken,
};

const TARGET = 'AWSCognitoIdentityProviderService.';
/** A pool's id has an underscore, which no bucket's name has: nothing of S3 is taken for the keys of a pool. */
const KEYS = /^\/([\w-]+_[0-9a-zA-Z]+)\/\.well-known\/jwks\.json$/;

export class CognitoService implements AwsService {
  readonly signingName = 'cognito-idp';
  private readonly pools = new Map<string, UserPool>();
  private readonly now: () => Date;

  constructor(now: () => Date) {
    this.now = now;
  }

  add(pool: UserPool): void {
    this.pools.set(pool.settings.id, pool);
  }

  pool(id: string): UserPool {
    const pool = this.pools.get(id);
    if (!pool) throw new CognitoError('ResourceNotFoundException', `User pool ${id} does not exist.`);
    return pool;
  }

  permissionsOf(request: AwsRequest): readonly NeededPermission[] {
    const action = actionOf(request);
    if (action === undefined || !Object.hasOwn(ACTIONS, action)) return [];
    const id = poolIdIn(request);
    return [{ action: `cognito-idp:${action}`, resource: this.pools.get(id)?.settings.arn ?? '*' }];
  }

  /** Whatever an administrator cannot do may come unsigned; what is not here at all is refused by its name. */
  isPublic(request: UnsignedRequest): boolean {
    const action = actionOf(request);
    if (action !== undefined) return request.method === 'POST' && !Object.hasOwn(ACTIONS, action);
    return request.method === 'GET' && KEYS.test(request.path);
  }

  async handle(request: AwsRequest): Promise<AwsResponse> {
    try {
      return json(200, this.keysOf(request) ?? (await this.act(request)));
    } catch (error) {
      if (error instanceof CognitoError) return this.error(400, error.code, error.message);
      if (error instanceof z.ZodError) return this.error(400, 'InvalidParameterException', z.prettifyError(error));
      throw error;
    }
  }

  error(status: number, code: string, message: string): AwsResponse {
    return jsonError({ status, code, message, version: '1.1' });
  }

  private async act(request: AwsRequest): Promise<object> {
    const action = actionOf(request) ?? '';
    const input = jsonBody(request.body);
    const ofToken = own(TOKEN_ACTIONS, action);
    if (ofToken) return ofToken({ pool: this.poolOfToken(input), input, now: this.now() });
    const act = own(ACTIONS, action);
    if (!act) throw new CognitoError('NotImplementedException', `The local cloud does not have ${action} of Cognito.`);
    return act({ pool: this.pool(poolIdIn(request)), input, now: this.now() });
  }

  /** The token is proven by the action itself, with the key of the pool. */
  private poolOfToken(input: JsonObject): UserPool {
    const token = textIn(input, 'AccessToken') ?? '';
    const pool = [...this.pools.values()].find(({ settings }) => settings.issuer === issuerIn(token));
    if (!pool) throw new CognitoError('NotAuthorizedException', 'Invalid Access Token');
    return pool;
  }

  /** Returns the public keys of the pool that the path names. */
  private keysOf({ method, path }: AwsRequest): object | undefined {
    const [, id] = KEYS.exec(path) ?? [];
    if (method !== 'GET' || id === undefined) return undefined;
    const { publicKey, keyId } = this.pool(id);
    return { keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'RS256', kid: keyId, use: 'sig' }] };
  }
}

function actionOf({ headers }: UnsignedRequest): string | undefined {
  const target = headers['x-amz-target'] ?? '';
  return target.startsWith(TARGET) ? target.slice(TARGET.length) : undefined;
}

function issuerIn(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** Names come from outside: `constructor` is not an action. */
const own = <T>(actions: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(actions, name) ? actions[name] : undefined;

const poolIdIn = ({ body }: AwsRequest) => textIn(jsonBody(body), 'UserPoolId') ?? '';

function json(status: number, body: object): AwsResponse {
  return { status, headers: { 'content-type': 'application/x-amz-json-1.1' }, body: JSON.stringify(body) };
}
