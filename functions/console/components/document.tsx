import type { ComponentChildren } from 'preact';
import { PostForm } from './form.tsx';
import { OPERATOR_SCREENS, TENANT_SCREENS } from './navigation.ts';
import { sectionOf } from './reference-links.ts';
import { useTenantPath, useView } from './view.ts';

interface DocumentProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** The HTML document of a page, with the console's frame for people who are signed in. */
export function Document({ title, children }: DocumentProps) {
  const { asset, person, url } = useView();
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · Console`}</title>
        <link rel="icon" href={asset('logo.svg')} />
        <link rel="preload" href={asset('inter.woff2')} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="stylesheet" href={asset('console.css')} />
        {/[?&]auto=5(&|$)/.test(url) && <meta http-equiv="refresh" content="5" />}
        <script src={asset('page-script.js')} defer />
      </head>
      <body>{person ? <Frame>{children}</Frame> : <Alone>{children}</Alone>}</body>
    </html>
  );
}

function Frame({ children }: { readonly children: ComponentChildren }) {
  const { person, tenant } = useView();
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
          <ReferenceLink />
        </main>
      </div>
    </>
  );
}

/** Leads to the operations of the API that do what the screen does. */
function ReferenceLink() {
  const section = sectionOf(useView().url);
  if (!section) return null;
  const [anchor, label] = section;
  return (
    <footer class="reference">
      API reference: <a href={`/docs/management#${anchor}`}>{label}</a>
    </footer>
  );
}

function Brand() {
  const { asset } = useView();
  return (
    <a class="brand" href="/console">
      <img src={asset('logo.svg')} alt="" /> Console
    </a>
  );
}

const useIsMenu = () => /\/menu(\?|$)/.test(useView().url);

function MenuLink() {
  const { tenant } = useView();
  const path = useTenantPath();
  const isMenu = useIsMenu();
  return (
    <a class="button" href={tenant === '' ? '/console/menu' : path('menu')} aria-current={isMenu ? 'page' : undefined}>
      Menu
    </a>
  );
}

function SideBar() {
  const { person, tenant, url } = useView();
  return (
    <aside class="side" aria-label="Console">
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
              <NavLink key={path} path={path} label={label} />
            ))}
          </>
        )}
      </nav>
      <div class="leave">
        <a href="/console/second-factor" aria-current={url.startsWith('/console/second-factor') ? 'page' : undefined}>
          Two-factor authentication
        </a>
        <PostForm action="/console/sign-out">
          <button class="button small" type="submit">
            Sign out
          </button>
        </PostForm>
      </div>
    </aside>
  );
}

function TenantLinks() {
  const path = useTenantPath();
  return (
    <>
      {TENANT_SCREENS.map(({ title, screens }) => (
        <>
          {title && <h2 key={title}>{title}</h2>}
          {screens.map(([own, label]) => (
            <NavLink key={own} path={path(own)} label={label} isWhole={own === ''} />
          ))}
        </>
      ))}
    </>
  );
}

interface NavLinkProps {
  readonly path: string;
  readonly label: string;
  /** True if only its exact path counts as the current page. */
  readonly isWhole?: boolean;
}

function NavLink({ path, label, isWhole = false }: NavLinkProps) {
  const [address = ''] = useView().url.split('?');
  const current = address.replace(/\/$/, '');
  const isCurrent = current === path || (!isWhole && current.startsWith(`${path}/`));
  return (
    <a href={path} aria-current={isCurrent ? 'page' : undefined}>
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
