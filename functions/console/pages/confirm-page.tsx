import type { ComponentChildren } from 'preact';
import { LinkButton, Submit } from '../components/button.tsx';
import { PostForm } from '../components/form.tsx';
import { PageHead } from '../components/page-parts.tsx';
import { type Page, page } from './screen.ts';

interface Question {
  readonly title: string;
  readonly lead?: ComponentChildren;
  /** The page to which Cancel leads: `[path, label]`. */
  readonly under: readonly [path: string, label: string];
  /** The consequences of the action. */
  readonly text: string;
  readonly action: string;
  /** The label of the button. */
  readonly label: string;
  /** The body of the API's call that does the same. @default an example */
  readonly sends?: unknown;
}

/** The page that asks before something is done that can't be undone. */
export const confirmPage = ({ title, lead, under, text, action, label, sends }: Question): Page =>
  page(
    title,
    <>
      <PageHead title={title} lead={lead} under={under} />
      <div class="card pad stack confirm">
        <p>{text}</p>
        <PostForm action={action} class="row" sends={sends}>
          <Submit kind="danger" label={label} />
          <LinkButton label="Cancel" href={under[0]} />
        </PostForm>
      </div>
    </>,
  );
