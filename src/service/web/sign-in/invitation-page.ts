import { acceptInvitation, joinAccount, type OpenInvitation, readInvitation } from '../../identity/join.ts';
import { linkButton } from '../components.ts';
import { button, errorSummary, type FieldErrors, form, textField, toFieldErrors } from '../form-fields.ts';
import { type Html, html } from '../html.ts';
import { renderSmallPage } from '../layout.ts';
import { toPageContext } from '../page-context.ts';
import type { PageResponse, WebPage } from '../page-response.ts';
import type { PageVisit } from '../visit.ts';
import { withUsableLink } from './link-error.ts';
import { newPasswordField } from './new-password-field.ts';
import { continueSignIn, toSignInPath } from './signed-in.ts';

/** `/invitation/:token`. Only its form uses the link: programs that preview links open them, too. */
export const invitationPage: WebPage = {
  async render(visit) {
    const invitation = await withUsableLink(() => readInvitation(visit.context, readToken(visit)));
    return { html: renderInvitation(visit, invitation) };
  },

  async accept(visit, sent) {
    const token = readToken(visit);
    return withUsableLink(async () => {
      if (sent.get('form') === 'join' && visit.session !== undefined) {
        await joinAccount(toPageContext(visit), token);
        return { redirect: '/settings', notice: 'You have joined the team.' };
      }
      return acceptAsNewPerson(visit, token, sent);
    });
  },
};

function readToken({ params }: PageVisit): string {
  return params['token'] ?? '';
}

async function acceptAsNewPerson(
  visit: PageVisit,
  token: string,
  sent: URLSearchParams,
): Promise<PageResponse> {
  const { context, browser } = visit;
  const invitation = await readInvitation(context, token);
  const [name, password] = [sent.get('name') ?? '', sent.get('password') ?? ''];
  try {
    const result = await acceptInvitation(context, { token, name, password, browser });
    const notice = `Welcome to ${invitation.account.name}.`;
    if (result.status === 'refused') throw new Error(result.message);
    return continueSignIn(visit, result, { returnTo: '/settings', notice });
  } catch (error) {
    const errors = toFieldErrors(error, ['name', 'password']);
    return { status: 422, html: renderInvitation(visit, invitation, { name, errors }) };
  }
}

interface Entered {
  readonly name?: string;
  readonly errors?: FieldErrors;
}

function renderInvitation(visit: PageVisit, invitation: OpenInvitation, entered: Entered = {}): string {
  const { account, role, email } = invitation;
  return renderSmallPage({
    title: `Join ${account.name}`,
    lead: html`You are invited as <strong>${role}</strong>. Your email address is <strong>${email}</strong>.`,
    isInvalid: entered.errors !== undefined,
    body: html`${errorSummary(entered.errors)}${renderStep(visit, invitation, entered)}`,
  });
}

function renderStep(
  { csrf, path, session }: PageVisit,
  { email, isKnownPerson }: OpenInvitation,
  entered: Entered,
): Html {
  const credential = session?.caller.credential;
  const own = credential?.kind === 'session' ? credential.user.email : undefined;
  if (own === email) {
    return form({ name: 'join', csrf, body: button({ label: 'Join', kind: 'primary' }) });
  }
  if (own !== undefined) {
    const signOut = button({ label: 'Sign out', kind: 'primary' });
    return html`<p>You are signed in as ${own}. Sign out, then open the link again.</p>
${form({ name: 'sign-out', csrf, action: '/sign-out', body: signOut })}`;
  }
  if (isKnownPerson) {
    return html`<p>You already have a password for this service. Sign in to join.</p>
${linkButton({ href: toSignInPath('/sign-in', path), label: 'Sign in', isPrimary: true })}`;
  }
  const { name, errors } = entered;
  const fields = html`${textField({ label: 'Your name', name: 'name', autocomplete: 'name', value: name, errors, hasFocus: errors === undefined })}
${usernameField(email)}${newPasswordField({ errors })}
${button({ label: 'Join', kind: 'primary' })}`;
  return form({ name: 'accept', csrf, body: fields });
}

/** Tells password managers whose password it is. */
function usernameField(email: string): Html {
  return html`<input type="hidden" name="email" value="${email}" autocomplete="username">`;
}
