/** All user pools. */
import { decodeJwt } from 'jose';
import { CognitoError } from './cognito-error.ts';
import type { UserPool } from './user-pool.ts';

export class Pools {
  readonly now: () => Date;
  private readonly pools = new Map<string, UserPool>();

  constructor(now: () => Date) {
    this.now = now;
  }

  add(pool: UserPool): void {
    this.pools.set(pool.settings.id, pool);
  }

  find(id: string): UserPool | undefined {
    return this.pools.get(id);
  }

  named(id: string): UserPool {
    const pool = this.find(id);
    if (!pool) throw new CognitoError('ResourceNotFoundException', `User pool ${id} does not exist.`);
    return pool;
  }

  /** Returns the pool of a client. */
  ofClient(id: string): UserPool {
    const pool = [...this.pools.values()].find(({ clients }) => clients.has(id));
    if (!pool) throw new CognitoError('ResourceNotFoundException', `User pool client ${id} does not exist.`);
    return pool;
  }

  /** Returns the pool that an access token names. The action itself proves the token, with the key of the pool. */
  ofToken(token: string): UserPool {
    const issuer = issuerIn(token);
    const pool = [...this.pools.values()].find(({ settings }) => settings.issuer === issuer);
    if (!pool) throw new CognitoError('NotAuthorizedException', 'Invalid Access Token');
    return pool;
  }
}

function issuerIn(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
