import { Badge } from '../components/badge.tsx';
import { Card, Facts } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import type { Erasure } from './erasure-answers.ts';

export const ErasureStatus = ({ erasure: { status } }: { readonly erasure: Erasure }) =>
  status === 'completed' ? (
    <Badge tone="ok" icon="check" label="Completed" />
  ) : (
    <Badge tone="info" icon="clock" label="Running" />
  );

/** The progress of an erasure, by domain. */
export function ErasureProgress({ erasure }: { readonly erasure: Erasure }) {
  const { requestedAt, erasedAt, completedAt } = erasure;
  const domains = Object.entries(erasedAt)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([domain, at]) => [`Erased in ${domain}`, <Time key={domain} at={at} />]);
  return (
    <div class="card pad">
      <Facts
        facts={{
          Status: <ErasureStatus erasure={erasure} />,
          Requested: <Time at={requestedAt} />,
          ...Object.fromEntries(domains),
          Completed: completedAt && <Time at={completedAt} />,
        }}
      />
    </div>
  );
}

export const ErasureRemains = ({ erasure: { remains } }: { readonly erasure: Erasure }) => (
  <Card title="What remains, and why">
    <Facts facts={Object.fromEntries(remains.map(({ what, why }) => [what, why]))} />
  </Card>
);
