/** One user pool: its users, groups, clients and signing key. Kept in one file that only its owner may read. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { Challenges } from './challenges.ts';
import { COST, hashPassword, isPassword, type PasswordPolicy } from './passwords.ts';
import { ResetCodes } from './reset-codes.ts';

const User = z.object({
  username: z.string(),
  attributes: z.record(z.string(), z.string()),
  groups: z.array(z.string()),
  enabled: z.boolean(),
  status: z.enum(['FORCE_CHANGE_PASSWORD', 'CONFIRMED']),
  password: z.string().optional(),
  /** The end of the password, in seconds, while the user must still change it. */
  temporaryUntil: z.number().optional(),
  /** The authenticator app: its secret in base32, and the time step of the last code that was used. */
  softwareToken: z.object({ secret: z.string(), usedStep: z.number(), isAskedFor: z.boolean() }).optional(),
  createdAt: z.number(),
  modifiedAt: z.number(),
});
export type User = z.output<typeof User>;

const Refresh = z.object({ username: z.string(), clientId: z.string(), authTime: z.number(), expiresAt: z.number() });
export type Refresh = z.output<typeof Refresh>;

const PoolFile = z.object({
  privateKey: z.string(),
  users: z.record(z.string(), User),
  refreshes: z.record(z.string(), Refresh),
});

export interface PoolAttribute {
  readonly name: string;
  readonly minLength: number;
  readonly maxLength: number;
}

export interface PoolSettings {
  readonly id: string;
  readonly arn: string;
  readonly issuer: string;
  readonly passwordPolicy: PasswordPolicy;
  /** The days within which a temporary password must be used. */
  readonly temporaryPasswordDays: number;
  /** The attributes beyond the standard ones, with their prefix `custom:`. */
  readonly customAttributes: readonly PoolAttribute[];
  /** Users may have an authenticator app as a second factor. */
  readonly takesCodes: boolean;
  /** Mails a code to a user who has forgotten the password. */
  readonly sendCode: (mail: CodeMail) => void;
}

export interface CodeMail {
  readonly to: string;
  readonly code: string;
  readonly now: Date;
}

export interface PoolClient {
  readonly id: string;
  /** `ALLOW_ADMIN_USER_PASSWORD_AUTH`, … */
  readonly flows: readonly string[];
  readonly idTokenSeconds: number;
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  readonly hidesMissingUsers: boolean;
}

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

let inMemory: KeyObject | undefined;
/** Pools in memory share one key per process: generating one takes 0.1 to 0.2 seconds, a third of a start. */
const keyInMemory = () => (inMemory ??= newKey());

export class UserPool {
  readonly settings: PoolSettings;
  readonly groups = new Set<string>();
  readonly clients = new Map<string, PoolClient>();
  readonly challenges = new Challenges();
  readonly resetCodes = new ResetCodes();
  /** Secrets without a confirmed code, by user. In memory only. */
  readonly offeredSecrets = new Map<string, string>();
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly keyId: string;
  private readonly file: string | null;
  private readonly passwordCost: number;
  private readonly users: Map<string, User>;
  /** The key is the hash of the token, so the file alone is not enough to sign in. */
  private readonly refreshes: Map<string, Refresh>;

  /** @param file null keeps nothing. */
  constructor(settings: PoolSettings, file: string | null) {
    this.settings = settings;
    this.file = file;
    this.passwordCost = file === null ? COST.inMemory : COST.stored;
    const saved =
      file !== null && existsSync(file) ? PoolFile.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
    this.users = new Map(Object.entries(saved?.users ?? {}));
    this.refreshes = new Map(Object.entries(saved?.refreshes ?? {}));
    this.privateKey = saved ? createPrivateKey(saved.privateKey) : file === null ? keyInMemory() : newKey();
    this.publicKey = createPublicKey(this.privateKey);
    this.keyId = createHash('sha256')
      .update(this.publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64url');
    this.save();
  }

  hashPassword(password: string): string {
    return hashPassword(password, this.passwordCost);
  }

  hasPassword({ password: hashed }: User, password: string): boolean {
    return hashed !== undefined && isPassword(password, hashed, this.passwordCost);
  }

  user(name: string): User | undefined {
    return this.users.get(name);
  }

  /** All users, by name. */
  all(): User[] {
    return [...this.users.values()].sort((a, b) => (a.username < b.username ? -1 : 1));
  }

  put(user: User): void {
    this.users.set(user.username, user);
    this.save();
  }

  remove(username: string): void {
    this.users.delete(username);
    this.save();
  }

  rememberRefresh(token: string, refresh: Refresh): void {
    const now = Date.now();
    for (const [hash, { expiresAt }] of this.refreshes) if (expiresAt * 1000 < now) this.refreshes.delete(hash);
    this.refreshes.set(hashed(token), refresh);
    this.save();
  }

  refreshOf(token: string): Refresh | undefined {
    return this.refreshes.get(hashed(token));
  }

  /** Ends every session of a user. Tokens that are already signed stay valid until they expire. */
  forgetRefreshes(username: string): void {
    for (const [hash, refresh] of this.refreshes) if (refresh.username === username) this.refreshes.delete(hash);
    this.save();
  }

  private save() {
    if (this.file === null) return;
    mkdirSync(dirname(this.file), { recursive: true });
    const content: z.output<typeof PoolFile> = {
      privateKey: this.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      users: Object.fromEntries(this.users),
      refreshes: Object.fromEntries(this.refreshes),
    };
    writeFileSync(`${this.file}.new`, JSON.stringify(content), { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }
}

const hashed = (token: string) => createHash('sha256').update(token).digest('base64');
