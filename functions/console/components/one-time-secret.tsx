import type { ComponentChildren } from 'preact';
import { LinkButton } from './button.tsx';
import { Card, Code, Facts, Note } from './page-parts.tsx';

/** The query parameter of the address to which a reload of the page leads. */
export const SHOWN_ONCE = 'shown-once';

interface OneTimeSecretProps {
  readonly label: string;
  readonly secret: string;
  readonly facts?: Readonly<Record<string, ComponentChildren>>;
  /** The address of the next page. */
  readonly next: string;
  readonly children?: ComponentChildren;
}

/** A secret that is displayed only once. */
export function OneTimeSecret({ label, secret, facts, next, children }: OneTimeSecretProps) {
  return (
    <div class="form stack">
      <Note tone="warn" title="Copy it now.">
        It is shown only once.
      </Note>
      <Card title={label}>
        <Code id="secret" text={secret} label={label} />
        {facts && <Facts facts={facts} />}
        {children}
      </Card>
      <div class="row">
        <LinkButton label="I have copied it" href={next} />
      </div>
    </div>
  );
}

/** A note for a person who has reloaded the page of a secret. */
export function ShownOnceNote({ query, children }: { readonly query: URLSearchParams; readonly children: string }) {
  if (!query.has(SHOWN_ONCE)) return null;
  return (
    <Note tone="warn" title="The secret was shown once and can't be shown again.">
      {children}
    </Note>
  );
}
