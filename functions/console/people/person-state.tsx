import { Badge } from '../components/badge.tsx';
import type { Person } from './person-answers.ts';

/** The badge of a person: active, disabled, or invited and not signed in yet. */
export function PersonState({ person: { active, lastSeenAt } }: { readonly person: Person }) {
  if (!active) return <Badge tone="plain" icon="pause" label="Disabled" />;
  return lastSeenAt === null ? (
    <Badge tone="info" icon="clock" label="Invited" />
  ) : (
    <Badge tone="ok" icon="check" label="Active" />
  );
}
