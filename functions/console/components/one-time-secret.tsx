import type { ComponentChildren } from 'preact';
import { Code, Facts, Note } from './page-parts.tsx';

/** Of the address to which a reload of the page leads. */
export const SHOWN_ONCE = 'shown-once';

interface OneTimeSecretProps {
  readonly label: string;
  readonly secret: string;
  readonly facts?: Readonly<Record<string, ComponentChildren>>;
  /** Where the person goes on. */
  readonly next: string;
  readonly children?: ComponentChildren;
}

/** A secret that no other page shows. */
export function OneTimeSecret({ label, secret, facts, next, children }: OneTimeSecretProps) {
  return (
    <div class="form stack">
      <Note tone="warn" title="Copy it now.">
        It is shown on this page and nowhere else.
      </Note>
      <section class="card pad stack">
        <h2>{label}</h2>
        <Code id="secret" text={secret} label={label} />
        {facts && <Facts facts={facts} />}
        {children}
      </section>
      <div class="row">
        <a class="button" href={next}>
          I have copied it
        </a>
      </div>
    </div>
  );
}

/** What a person reads who has loaded the page of a secret again. */
export function ShownOnceNote({ query, children }: { readonly query: URLSearchParams; readonly children: string }) {
  if (!query.has(SHOWN_ONCE)) return null;
  return (
    <Note tone="warn" title="The secret has been shown, and cannot be shown again.">
      {children}
    </Note>
  );
}
