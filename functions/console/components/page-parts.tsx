import { type ComponentChildren, toChildArray } from 'preact';
import type { ManagementFailure } from '../management/management.ts';
import { useFocusIfRefused } from './field-faults.tsx';
import { Icon, type IconName } from './icon.tsx';
import { useView } from './view.ts';

interface PageHeadProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  /** The parent page: `[path, label]`. */
  readonly under?: readonly [path: string, label: string];
  /** The buttons, at most one of them primary. */
  readonly children?: ComponentChildren;
}

export function PageHead({ title, lead, under, children }: PageHeadProps) {
  return (
    <div class="page-head">
      <div>
        {under && (
          <nav class="crumbs" aria-label="Breadcrumb">
            <a href={under[0]}>{under[1]}</a> /
          </nav>
        )}
        <h1>{title}</h1>
        {lead && <p>{lead}</p>}
      </div>
      {toChildArray(children).length > 0 && <div class="acts">{children}</div>}
    </div>
  );
}

export type Tab = readonly [path: string, label: string];

export function Tabs({
  tabs,
  current,
  label,
}: {
  readonly tabs: readonly Tab[];
  readonly current: string;
  readonly label: string;
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([path, text]) => (
        <a key={path} href={path} aria-current={path === current ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

interface NoteProps {
  readonly tone: 'info' | 'ok' | 'bad' | 'warn';
  readonly title?: string;
  readonly children?: ComponentChildren;
}

const NOTE_ICONS: Readonly<Record<NoteProps['tone'], IconName>> = {
  info: 'info',
  ok: 'check',
  bad: 'cross',
  warn: 'warning',
};

/** A note. One about a refused form has the focus when its page opens. */
export function Note({ tone, title, children }: NoteProps) {
  const focus = useFocusIfRefused();
  return (
    <div class={`note ${tone}`} role={tone === 'bad' ? 'alert' : 'status'} {...(tone === 'bad' && focus)}>
      <Icon name={NOTE_ICONS[tone]} />
      <div>
        {title && <strong>{title}</strong>}
        {title && children ? ' ' : null}
        {children}
      </div>
    </div>
  );
}

/**
 * The refusal of a call to the management API, or a failure to reach it, within a page that is displayed all the same.
 */
export function Problem({ failure, title }: { readonly failure: ManagementFailure; readonly title?: string }) {
  const { url } = useView();
  return (
    <Note tone="bad" {...(title !== undefined && { title })}>
      {failure.detail || 'The service refused this request.'}{' '}
      <span class="small">
        ({failure.code}
        {failure.requestId && `, request ${failure.requestId}`}){' '}
      </span>
      {failure.status >= 500 && <a href={url}>Try again</a>}
    </Note>
  );
}

interface CardProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A card with a heading. */
export const Card = ({ title, children }: CardProps) => (
  <section class="card pad stack">
    <h2>{title}</h2>
    {children}
  </section>
);

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
  /** Buttons for the next step. */
  readonly acts?: ComponentChildren;
}

export function Empty({ title, children, acts }: EmptyProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {acts && <div class="acts">{acts}</div>}
    </div>
  );
}

/** The facts of one thing, by name. Undefined ones are left out. */
export function Facts({ facts }: { readonly facts: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="facts">
      {Object.entries(facts).map(
        ([name, fact]) =>
          fact !== undefined && (
            <>
              <dt key={name}>{name}</dt>
              <dd>{fact}</dd>
            </>
          ),
      )}
    </dl>
  );
}

/** A URL that breaks after a slash where it must. */
export function Url({ url }: { readonly url: string }) {
  return (
    <>
      {url.split(/(?<=[^/]\/)(?=[^/])/).flatMap((part, index) => (index === 0 ? [part] : [<wbr key={index} />, part]))}
    </>
  );
}

interface CodeProps {
  readonly id: string;
  /** The text, which may have coloured parts. */
  readonly text: ComponentChildren;
  readonly label: string;
}

/** Monospaced text to read and copy. */
export function Code({ id, text, label }: CodeProps) {
  return (
    <section class="code" aria-label={label}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- text that scrolls must be reachable by keys */}
      <pre id={id} tabIndex={0}>
        {text}
      </pre>
      <button class="button small" type="button" data-copies={id} aria-label={`Copy: ${label}`}>
        Copy
      </button>
    </section>
  );
}

interface ProgressProps {
  readonly done: number;
  readonly all: number;
  readonly label: string;
}

/** A progress bar. */
export function Progress({ done, all, label }: ProgressProps) {
  return <progress max={Math.max(1, all)} value={Math.min(done, all)} aria-label={label} />;
}
