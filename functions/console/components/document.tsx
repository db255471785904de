import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { includesRole } from '#shared/auth/role';
import { roleOf } from '../sessions/session.ts';
import { ApiCalls, PageFormsContext } from './api-calls.tsx';
import { Submit } from './button.tsx';
import { ChangeNotice } from './change-notice.tsx';
import { FaultSummary, type FieldFault } from './field-faults.tsx';
import { PostForm } from './form.tsx';
import { Icon, type IconName } from './icon.tsx';
import { OPERATOR_SCREENS, TENANT_SCREENS } from './navigation.ts';
import { SCREEN_ICONS } from './navigation-icons.ts';
import { sectionOf } from './reference-links.ts';
import { CSV, PageTablesContext } from './tables.ts';
import { useTenantPath, useView } from './view.ts';

interface DocumentProps {
  readonly title: string;
  /** The faults of the form that the page answers. @default none */
  readonly faults?: readonly FieldFault[];
  readonly children: ComponentChildren;
}

/** The HTML document of a page, with the console's frame for people who are signed in. */
export function Document({ title, faults = [], children }: DocumentProps) {
  const { asset, person, url, productName } = useView();
  const Around = person ? Frame : Alone;
  const isLimited = person !== undefined && !includesRole(roleOf(person), 'admin');
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="color-scheme" content="light dark" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${faults.length > 0 ? 'Error: ' : ''}${title} · ${productName}`}</title>
        <link rel="icon" href={asset('logo.svg')} />
        <link rel="preload" href={asset('inter.woff2')} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="stylesheet" href={asset('console.css')} />
        {/[?&]auto=5(&|$)/.test(url) && <meta http-equiv="refresh" content="5" />}
        <script src={asset('page-script.js')} defer />
      </head>
      <body class={isLimited ? 'limited' : undefined}>
        <PageTablesContext.Provider value={{ tables: [] }}>
          <PageFormsContext.Provider value={[]}>
            <Around>
              <FaultSummary faults={faults} />
              <ChangeNotice />
              {children}
            </Around>
          </PageFormsContext.Provider>
        </PageTablesContext.Provider>
        <output id="announcement" class="hidden" />
      </body>
    </html>
  );
}

function Frame({ children }: { readonly children: ComponentChildren }) {
  const { person, tenant, timeZone } = useView();
  const isActing = person?.isOperator === true && tenant !== '' && tenant !== person.tenant;
  const isMenu = useIsMenu();
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class={isMenu ? 'frame menu' : 'frame'}>
        {isActing && (
          <section class="acting" aria-label="Current account">
            Viewing the account {tenant}. <a href="/console/accounts">Choose another account</a>
          </section>
        )}
        <header class="topbar">
          <Brand />
          <MenuLink />
        </header>
        <SideBar />
        <main id="main" tabIndex={-1}>
          {children}
          <ApiCalls />
          <footer class="reference">
            <FileLinks />
            <ReferenceLink />
            <p>Times are in {timeZone}.</p>
          </footer>
          <noscript>
            <p class="small muted">
              A session ends after half an hour without a request. Without JavaScript there is no warning before. A form
              that you submit afterwards is kept while you sign in, unless it has a password or a secret.
            </p>
          </noscript>
        </main>
      </div>
      <SessionWarning />
    </>
  );
}

/** A warning that the page's script shows two minutes before the session ends (WCAG 2.2.1). */
function SessionWarning() {
  const { sessionEndsAt, now } = useView();
  const menu = useMenuPath();
  if (sessionEndsAt === undefined) return null;
  return (
    <section class="session" role="alert" hidden data-session={sessionEndsAt - now} data-extended-by={menu}>
      <p data-session-coming>
        You will be signed out in about two minutes.{' '}
        <button class="button small" type="button">
          Stay signed in
        </button>
      </p>
      <p data-session-over hidden>
        Your session has ended. Submit your form as usual: it is kept while you sign in, unless it has a password or a
        secret.
      </p>
    </section>
  );
}

/** Links to the tables of the page as files. The tables have registered themselves before. */
function FileLinks() {
  const { url, hasOwnAddress } = useView();
  if (!hasOwnAddress) return null;
  const captions = (useContext(PageTablesContext)?.tables ?? []).map(({ caption }) => caption);
  const [path = '', query = ''] = url.split('?');
  const pathOf = (caption: string) => {
    const parameters = new URLSearchParams(query);
    // A file begins with the first page.
    parameters.delete('cursor');
    parameters.set(CSV, caption);
    return `${path}?${parameters.toString()}`;
  };
  return (
    <>
      {captions.map((caption) => (
        <p key={caption}>
          <a href={pathOf(caption)} download>
            <Icon name="down" /> {caption} as CSV
          </a>
        </p>
      ))}
    </>
  );
}

/** Leads to the operations of the API that do what the screen does. */
function ReferenceLink() {
  const section = sectionOf(useView().url);
  if (!section) return null;
  const [anchor, label] = section;
  return (
    <p>
      <a href={`/docs/management#${anchor}`}>API reference: {label}</a>
    </p>
  );
}

function Brand() {
  const { asset, productName } = useView();
  return (
    <a class="brand" href="/console">
      <img src={asset('logo.svg')} alt="" /> {productName}
    </a>
  );
}

const useIsMenu = () => /\/menu(\?|$)/.test(useView().url);

function useMenuPath() {
  const path = useTenantPath();
  return useView().tenant === '' ? '/console/menu' : path('menu');
}

function MenuLink() {
  const path = useMenuPath();
  const isMenu = useIsMenu();
  return (
    <a class="button" href={path} aria-current={isMenu ? 'page' : undefined}>
      Menu
    </a>
  );
}

function SideBar() {
  const { person, tenant, url, productName } = useView();
  return (
    <aside class="side" aria-label={productName}>
      <Brand />
      {tenant !== '' && (
        <span class="who">
          {tenant}
          <small>{person?.name}</small>
        </span>
      )}
      {tenant === '' && person?.tenant && (
        <a class="who" href={`/console/t/${encodeURIComponent(person.tenant)}`}>
          {person.tenant}
          <small>Back to this account</small>
        </a>
      )}
      <nav aria-label="Screens">
        {tenant !== '' && <TenantLinks />}
        {person?.isOperator && (
          <>
            <h2>Operators</h2>
            {OPERATOR_SCREENS.map(([path, label]) => (
              <NavLink key={path} path={path} label={label} icon={SCREEN_ICONS[path]} />
            ))}
          </>
        )}
      </nav>
      <div class="leave">
        <a href="/console/second-factor" aria-current={url.startsWith('/console/second-factor') ? 'page' : undefined}>
          <Icon name="shield" />
          Two-factor authentication
        </a>
        <a href="/console/password" aria-current={url.startsWith('/console/password') ? 'page' : undefined}>
          <Icon name="lock" />
          Password
        </a>
        <PostForm action="/console/sign-out">
          <Submit kind="small" label="Sign out" />
        </PostForm>
      </div>
    </aside>
  );
}

function TenantLinks() {
  const path = useTenantPath();
  const { person } = useView();
  const isOpen = (own: string) => own !== 'audit' || (person && includesRole(roleOf(person), 'admin'));
  return (
    <>
      {TENANT_SCREENS.map(({ title, screens }) => (
        <>
          {title && <h2 key={title}>{title}</h2>}
          {screens
            .filter(([own]) => isOpen(own))
            .map(([own, label]) => (
              <NavLink key={own} path={path(own)} label={label} icon={SCREEN_ICONS[own]} isWhole={own === ''} />
            ))}
        </>
      ))}
    </>
  );
}

interface NavLinkProps {
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  /** True if only its exact path counts as the current page. */
  readonly isWhole?: boolean;
}

function NavLink({ path, label, icon, isWhole = false }: NavLinkProps) {
  const [address = ''] = useView().url.split('?');
  const current = address.replace(/\/$/, '');
  const isCurrent = current === path || (!isWhole && current.startsWith(`${path}/`));
  return (
    <a href={path} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={icon} />
      {label}
    </a>
  );
}

function Alone({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="alone">
      <main id="main">
        <div class="stack">
          <Brand />
          <div class="card">{children}</div>
        </div>
      </main>
    </div>
  );
}
