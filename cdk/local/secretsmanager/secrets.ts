/** All secrets. */
import type { Secret } from './secret.ts';

/** The suffix that AWS appends to the name of a secret in its ARN. */
const SUFFIX = /-[A-Za-z0-9]{6}$/;

export class Secrets {
  private readonly byArn = new Map<string, Secret>();
  private readonly byName = new Map<string, Secret>();
  /** `arn:aws:secretsmanager:us-east-1:000000000000:secret:` */
  private readonly arnPrefix: string;

  constructor(region: string, accountId: string) {
    this.arnPrefix = `arn:aws:secretsmanager:${region}:${accountId}:secret:`;
  }

  /** @param suffix six letters and digits. */
  arnOf(name: string, suffix: string): string {
    return `${this.arnPrefix}${name}-${suffix}`;
  }

  add(secret: Secret): void {
    const { arn, name } = secret.settings;
    if (this.byName.has(name)) throw new Error(`There are two secrets named ${name}.`);
    this.byArn.set(arn, secret);
    this.byName.set(name, secret);
  }

  /** Finds a secret by name, ARN, or ARN without its suffix. */
  named(id: string): Secret | undefined {
    const secret = this.byArn.get(id) ?? this.byName.get(id);
    if (secret) return secret;
    const name = id.startsWith(this.arnPrefix) ? id.slice(this.arnPrefix.length) : '';
    // AWS takes a name that ends like a suffix for a complete ARN.
    return SUFFIX.test(name) ? undefined : this.byName.get(name);
  }
}
