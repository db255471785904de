import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { STYLE } from './style.ts';

export interface Link {
  readonly to: string;
  readonly name: string;
}

interface LayoutProps {
  readonly title: string;
  /** The links at the top: the documents of the stage. */
  readonly links: readonly Link[];
  /** The contents of the page, beside it. @default none */
  readonly contents?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The text of a whole page. */
export const pageText = (props: LayoutProps): string => `<!doctype html>${renderToString(<Layout {...props} />)}`;

function Layout({ title, links, contents, children }: LayoutProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <header class="top">
          <strong>
            <a href="/docs">Reference</a>
          </strong>
          {links.map(({ to, name }) => (
            <a key={to} href={to}>
              {name}
            </a>
          ))}
        </header>
        {contents ? (
          <div class="page">
            <nav aria-label="Contents">{contents}</nav>
            <main>{children}</main>
          </div>
        ) : (
          <main>{children}</main>
        )}
      </body>
    </html>
  );
}

/** Paragraphs with code in backticks. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <>
      {text.split('\n\n').map((paragraph) => (
        <p key={paragraph}>
          <Inline text={paragraph} />
        </p>
      ))}
    </>
  );
}

/** A text with code in backticks. */
export function Inline({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}</>;
}
