/**
 * Names resources that the template leaves unnamed. A stack and logical id always get the same name, so that state is
 * found after a restart.
 */
import { createHash } from 'node:crypto';

/** The place of a resource in its stack. */
export interface Place {
  readonly stack: string;
  readonly logicalId: string;
}

interface Rule {
  readonly longest: number;
  readonly lowerCase?: boolean;
}

/** The names that each service accepts. */
const RULES = {
  table: { longest: 255 },
  bucket: { longest: 63, lowerCase: true },
  // Room for `.fifo`.
  queue: { longest: 75 },
  function: { longest: 64 },
  secret: { longest: 512 },
  role: { longest: 64 },
  policy: { longest: 128 },
  rule: { longest: 64 },
  bus: { longest: 256 },
  topic: { longest: 256 },
  alarm: { longest: 255 },
  logGroup: { longest: 512 },
  stateMachine: { longest: 80 },
  other: { longest: 128 },
} as const satisfies Record<string, Rule>;

/** `service-DownloadsJobs4F2A-1c9e0b7a`: readable, short enough, and unique by its last part. */
export function physicalName(kind: keyof typeof RULES, { stack, logicalId }: Place): string {
  const rule: Rule = RULES[kind];
  const unique = shortId(`${stack}/${logicalId}`, 8);
  const readable = `${stack}-${logicalId}`.slice(0, rule.longest - unique.length - 1).replace(/-+$/, '');
  const name = `${readable}-${unique}`;
  return rule.lowerCase ? name.toLowerCase() : name;
}

/** Lower-case letters and digits, always the same ones for a seed: ids that AWS would draw by lot. */
export function shortId(seed: string, length: number): string {
  const digest = createHash('sha256').update(seed).digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(0, length).padStart(length, '0');
}

/** A UUID, always the same one for a seed. */
export function stableUuid(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
